import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { launch } from './browser.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, path))

/** A page with a network of its own, an engine on it and the engine's states. */
const CODE = `
  import { createMemoryDevnode } from ${file('../../src/devnode/memory/index.ts')}
  import { createChainEngine } from ${file('../../src/engine/engine.ts')}
  import { light } from ${file('../../src/light/index.ts')}
  const devnode = createMemoryDevnode({ blockInterval: 0 })
  const engine = createChainEngine({ ...devnode.engineOptions, sdk: light, reconnect: { baseDelay: 10 } })
  const statuses = []
  engine.connection.state$.subscribe(({ status }) => statuses.push(status))
  const balance = async (index) => String((await engine.rpc.getBalanceByAddress(devnode.accounts[index].address)).balance)
  Object.assign(globalThis, { devnode, engine, statuses, balance })
`
/** Allows no request at all, besides the page's own files. */
const POLICY = "default-src 'none'; script-src 'self'; img-src data:"

let browser: Browser
let built: BuiltPage
beforeAll(async () => {
  ;[browser, built] = await Promise.all([
    launch(),
    servePage(CODE, { 'content-security-policy': POLICY }, { __VUE_CHAIN_WASM__: 'false' }),
  ])
})
afterAll(async () => {
  await browser.close()
  built.close()
})

async function open(): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(built.url)
  await expect.poll(() => page.evaluate('typeof engine')).toBe('object')
  return { page, problems }
}

it('runs a network in a page without a request: connects, receives, pays and survives a drop', async () => {
  const { page, problems } = await open()
  await page.evaluate('engine.connection.connect()')
  await page.evaluate('devnode.fund(devnode.accounts[0].address, 500_000_000n)')
  await expect.poll(() => page.evaluate('balance(0)')).toBe('100500000000')

  const id = await page.evaluate<string>(`(async () => {
    await engine.wasm.init()
    const [{ address, privateKeyHex }, to] = devnode.accounts
    const { transactionIds } = await engine.transactions.send({
      entries: await engine.rpc.getUtxosByAddresses([address]),
      outputs: [{ address: to.address, amount: 300_000_000n }],
      changeAddress: address,
      privateKeys: [privateKeyHex],
    })
    return transactionIds[0]
  })()`)
  expect(await page.evaluate('devnode.expected.mempool()')).toEqual([id])
  await page.evaluate('devnode.mine(2)')
  await expect.poll(() => page.evaluate('balance(1)')).toBe('100300000000')

  await page.evaluate('devnode.faults.drop()')
  await expect.poll(() => page.evaluate('statuses')).toContain('reconnecting')
  await expect.poll(() => page.evaluate('engine.rpc.getSink().then(() => true, () => false)')).toBe(true)
  expect(problems).toEqual([])
  await page.close()
})
