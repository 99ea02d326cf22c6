// @vitest-environment happy-dom
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compileScript, parse } from 'vue/compiler-sfc'
import { createApp, type Component } from 'vue'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'
import { createMemoryDevnode, type MemoryDevnode } from '../../../../src/devnode/memory/create-memory-devnode.js'
import { light } from '../../../../src/sdk/light/light.js'
import { pollMined } from '../../../poll-mined.js'
import { unmountWithTest } from '../with-app.js'

/** Runs the components of guides, and of the pages about contracts, as they stand there. */

const ROOT = resolve(import.meta.dirname, '../../../..')
const OUTPUT = join(ROOT, '.cache/contract-pages')

type Account = MemoryDevnode['accounts'][number]

let devnode: MemoryDevnode
beforeEach(async () => {
  devnode = createMemoryDevnode({ blockInterval: 0 })
  for (let count = 0; count < 6; count++) await devnode.fund(devnode.accounts[0]!.address, 200_000_000n)
})
afterEach(() => devnode.close())

async function mount(page: string) {
  const [, source = ''] = /^```vue\n([\s\S]*?)^```/m.exec(readFileSync(join(ROOT, `docs/${page}.md`), 'utf8')) ?? []
  const script = source.replace(/^import '.*\.css'\n/m, '') // of the built package
  const { content } = compileScript(parse(script).descriptor, { id: 'page', inlineTemplate: true })
  const file = join(OUTPUT, `${page.replaceAll('/', '-')}.ts`)
  mkdirSync(OUTPUT, { recursive: true })
  writeFileSync(file, content)
  for (const name of ['counter', 'token20'])
    copyFileSync(join(ROOT, `test/fixtures/contracts/modules/${name}.ts`), join(OUTPUT, `${name}.contract.ts`))
  const { default: component } = (await import(pathToFileURL(file).href)) as { readonly default: Component }
  const [{ address, privateKeyHex }, other] = devnode.accounts as [Account, Account]
  const app = createApp(component, { address, privateKey: privateKeyHex, to: other.address })
  app.config.warnHandler = () => undefined // not every page declares each property
  const failures: unknown[] = []
  app.config.errorHandler = (error) => failures.push(error)
  app.use(VueChain, { ...devnode.engineOptions, sdk: light })
  const element = document.createElement('div')
  app.mount(element)
  unmountWithTest(app)
  const press = (name: string): void =>
    [...element.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)?.click()
  /** Mines until the component shows a text: nothing else adds blocks. */
  const shows = (text: RegExp) => pollMined(devnode, () => element.textContent).toMatch(text)
  return { press, shows, failures }
}

/** A reorg below the newest output of a contract, to a branch without the transaction; `before`: blocks that stay. */
async function undoCall(before: number): Promise<void> {
  const bound = devnode.expected.utxos().filter(({ covenantId }) => covenantId !== undefined)
  const [newest] = bound.sort((a, b) => Number(b.blockDaaScore - a.blockDaaScore))
  const depth = devnode.expected.chain().length - before
  await devnode.reorg({ depth, drop: newest === undefined ? [] : [newest.outpoint.transactionId] })
}

it('deploys a counter, adds to it, and shows both, on the page of useContract', async () => {
  const { press, shows, failures } = await mount('composables/useContract')
  press('Deploy')
  await shows(/Count 0, fresh/)
  press('Increment')
  await shows(/Count 1, fresh/)
  expect(failures).toEqual([])
})

it('lets two visitors call at once, and takes a call back by a reorg, on the page of a first contract', async () => {
  const { press, shows, failures } = await mount('your-first-contract')
  press('Deploy')
  await shows(/The count is 0, fresh/)
  press('Ann adds 1')
  await shows(/The count is 1, fresh[\s\S]*0: increment by 1/) // a block has it, which Bob needs
  const before = devnode.expected.chain().length
  press('Both at once')
  // the history has it once the chain does: a call that was only sent is shown before
  await shows(/The count is 4, fresh[\s\S]*[23]: increment by [12][\s\S]*was late: adds [12] to [23]/)
  await undoCall(before)
  await shows(/The count is [23], fresh/)
  expect(failures).toEqual([])
})

it('sells quotes to an agent, each payment once, on the page of a paid API', async () => {
  const { press, shows, failures } = await mount('recipes/paid-api')
  press('Request')
  await shows(/Requested: 402 0\.5 KAS to kaspasim:/)
  press('Buy')
  await shows(/Bought: 200 \{"quote":"Nothing lost"\}/)
  press('Send the last payment again')
  await shows(/Sent again: 402 \{"error":"already_served"\}/)
  expect(failures).toEqual([])
})

it('mints a token, sends it to another account, and takes the transfer back by a reorg, on the page of useTokens', async () => {
  const { press, shows, failures } = await mount('composables/useTokens')
  press('Mint 1,000')
  await shows(/You\S*: 1000, pending 0, in 1 outputs\s*The other account\s*Transfer/)
  const before = devnode.expected.chain().length
  press('Transfer 10')
  await shows(/You\S*: 990, pending 0, in 1 outputs\s*The other account\S*: 10, pending 0, in 1 outputs/)
  await undoCall(before)
  await shows(/You\S*: 1000, pending 0, in 1 outputs\s*The other account\s*Transfer/)
  expect(failures).toEqual([])
})

it('passes a payment of two of three signers along, on the page of a treasury', async () => {
  const { press, shows, failures } = await mount('treasury')
  press('Open the account')
  await shows(/2000000000 sompi/)
  press('Ann proposes')
  await shows(/The text: PSKB[\s\S]*Ann[\s\S]*The account pays/)
  press('Bob opens')
  await shows(/Bob[\s\S]*Cosigner \d \(you\)Not signed[\s\S]*Carol/)
  press('Bob signs')
  await shows(/Bob[\s\S]*Cosigner \d \(you\)Signed[\s\S]*Carol/)
  press('Carol opens')
  await shows(/Carol[\s\S]*The account pays/)
  press('Carol signs')
  await shows(/All signatures are there/)
  press('Carol submits')
  await shows(/14\d{8} sompi/)
  expect(failures).toEqual([])
})
