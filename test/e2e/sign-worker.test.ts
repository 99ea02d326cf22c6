import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import { createChainEngine } from '../../src/engine/engine.js'
import type { KeypairInfo } from '../../src/model/keys.js'
import { light } from '../../src/sdk/light/light.js'
import { eachFile } from '../lifetimes.js'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { launch } from './browser.js'

const KAS = 100_000_000n
const INPUTS = 30

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** A page that pays with `light`. */
const page = (url: string): string => `
  import { createChainEngine } from ${file('engine/engine.ts')}
  import { light } from ${file('light/index.ts')}
  window.engine = createChainEngine({ network: 'simnet', url: '${url}', sdk: light })
`
const SEND = `(async () => {
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  const entries = await engine.rpc.getUtxosByAddresses([keypair.address])
  const { transactionIds } = await engine.transactions.sweep({ entries, to: keypair.address, privateKeys: [keypair.privateKeyHex] })
  return [entries.length, transactionIds.length]
})()`

const devnode = eachFile(() => createDevnode({ borshPort: 0, jsonPort: 0, restPort: 0, controlPort: 0 }))
const browser = eachFile(() => launch())

/** A new account with many UTXOs. */
async function fundedKeypair(): Promise<KeypairInfo> {
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, sdk: light })
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  const keypair = engine.keys.generateKeypair('simnet')
  const [from] = devnode.accounts
  if (from === undefined) throw new Error('A devnode has accounts')
  await engine.transactions.send({
    entries: await engine.rpc.getUtxosByAddresses([from.address]),
    outputs: Array.from({ length: INPUTS }, () => ({ address: keypair.address, amount: KAS })),
    changeAddress: from.address,
    privateKeys: [from.privateKeyHex],
  })
  await devnode.mine(2)
  await engine.dispose()
  return keypair
}

interface Opened {
  readonly page: Page
  readonly built: BuiltPage
  /** URLs of the workers that were started. */
  readonly workers: string[]
}

/** A page under `script-src 'self'` and a further directive. */
async function openPage(directive: string): Promise<Opened> {
  const policy = `default-src 'self'; script-src 'self'; img-src data:; connect-src 'self' ${devnode.urls.borsh}; ${directive}`
  const built = await servePage(
    page(devnode.urls.borsh),
    { 'content-security-policy': policy },
    { __VUE_CHAIN_WASM__: 'false' },
  )
  const opened = await browser.newPage()
  const workers: string[] = []
  opened.on('worker', (worker) => workers.push(worker.url()))
  return { page: opened, built, workers }
}

/** Sweeps an account with many UTXOs; the numbers of inputs and of submitted transactions. */
async function sweep({ page: opened, built }: Opened): Promise<number[]> {
  await opened.goto(built.url, { waitUntil: 'load' })
  await opened.evaluate(`window.keypair = ${JSON.stringify(await fundedKeypair())}`)
  return opened.evaluate<number[]>(SEND)
}

async function close({ page: opened, built }: Opened): Promise<void> {
  await opened.close()
  built.close()
}

describe('a payment with many inputs on light', () => {
  it("signs in a worker of the page's own origin, which ends after the payment", async () => {
    const opened = await openPage('')
    expect(await sweep(opened)).toEqual([INPUTS, 1])
    expect(opened.workers).toHaveLength(1)
    expect(opened.workers[0]).toContain('sign-worker')
    await expect.poll(() => opened.page.workers().length).toBe(0)
    await close(opened)
  })

  it('signs on the page where the Content-Security-Policy blocks workers', async () => {
    const opened = await openPage("worker-src 'none'")
    expect(await sweep(opened)).toEqual([INPUTS, 1])
    expect(opened.built.requested.filter((path) => path.includes('sign-worker'))).toEqual([])
    await close(opened)
  })

  it('signs on the page where the file of the worker is not served', async () => {
    const opened = await openPage('')
    await opened.page.route('**/*sign-worker*', (route) => route.fulfill({ status: 404, body: 'Not found' }))
    expect(await sweep(opened)).toEqual([INPUTS, 1])
    await close(opened)
  })
})
