import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { launch } from './browser.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** A page that pays with `light`, in a build that excludes the WASM SDK. */
const page = (url: string): string => `
  import { createChainEngine } from ${file('engine/engine.ts')}
  import { light } from ${file('light/index.ts')}
  window.engine = createChainEngine({ network: 'simnet', url: '${url}', sdk: light })
`
/** No eval, no WASM, no other origin but the node. */
const policy = (url: string): string =>
  `default-src 'self'; script-src 'self'; img-src data:; connect-src 'self' ${url}`

let browser: Browser
let devnode: Devnode
let built: BuiltPage
beforeAll(async () => {
  devnode = await createDevnode({ borshPort: 0, jsonPort: 0, restPort: 0, controlPort: 0 })
  ;[browser, built] = await Promise.all([
    launch(),
    servePage(
      page(devnode.urls.borsh),
      { 'content-security-policy': policy(devnode.urls.borsh) },
      { __VUE_CHAIN_WASM__: 'false' },
    ),
  ])
})
afterAll(async () => {
  await browser.close()
  built.close()
  await devnode.close()
})

async function openPage(): Promise<{ page: Page; problems: string[] }> {
  const opened = await browser.newPage()
  const problems: string[] = []
  opened.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  opened.on('pageerror', (error) => problems.push(String(error)))
  await opened.goto(built.url, { waitUntil: 'load' })
  return { page: opened, problems }
}

it("creates a mnemonic, shows a balance and pays under `script-src 'self'`, without a .wasm file", async () => {
  const { page: opened, problems } = await openPage()
  const address = await opened.evaluate<string>(`(async () => {
    await engine.wasm.init()
    const mnemonic = engine.keys.generateMnemonic(12)
    window.keypair = engine.keys.mnemonicToKeypair(mnemonic.phrase, 'simnet')
    return keypair.address
  })()`)
  await devnode.fund(address, 500_000_000n)
  const balance = await opened.evaluate<string>(`(async () => {
    await engine.connection.connect()
    const { balance } = await engine.rpc.getBalanceByAddress(keypair.address)
    return String(balance)
  })()`)
  expect(balance).toBe('500000000')
  const id = await opened.evaluate<string>(`(async () => {
    const entries = await engine.rpc.getUtxosByAddresses([keypair.address])
    const outputs = [{ address: keypair.address, amount: 100_000_000n }]
    const { transactionIds } = await engine.transactions.send({ entries, outputs, changeAddress: keypair.address, privateKeys: [keypair.privateKeyHex] })
    return transactionIds[0]
  })()`)
  expect(id).toMatch(/^[0-9a-f]{64}$/)
  expect(built.files.filter((path) => path.endsWith('.wasm'))).toEqual([])
  expect(built.requested.filter((path) => path.includes('.wasm'))).toEqual([])
  expect(problems).toEqual([])
  await opened.close()
})
