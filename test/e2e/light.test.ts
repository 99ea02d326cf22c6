import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Worker } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import {
  EXTENSION_ORIGIN,
  buildExtension,
  bundleByEsbuild,
  bundleByVite,
  type Bundler,
} from '../setup/built-extension.js'
import { servePage } from '../setup/built-page.js'
import { launch, launchWithExtension } from './browser.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, path))

/** Starts an engine with `light` as `engine` of the global scope. */
const engineCode = (url: string): string => `
  import { createChainEngine } from ${file('../../src/engine/engine.ts')}
  import { light } from ${file('../../src/light/index.ts')}
  globalThis.engine = createChainEngine({ network: 'simnet', url: '${url}', sdk: light })
`
const workerCode = (url: string): string => `
  import LightEngine from ${JSON.stringify(`${resolve(import.meta.dirname, 'light-engine.ts')}?worker`)}
  window.worker = new LightEngine({ name: '${url}' })
`
/** The same as an app writes it, on the built package. */
const serviceWorkerCode = (url: string): string => `
  import { createChainEngine } from 'vue-chain/streams'
  import { light } from 'vue-chain/light'
  globalThis.engine = createChainEngine({ network: 'simnet', url: '${url}', sdk: light })
`
/** No eval, no WASM, no other origin but the node. */
const policy = (url: string): string =>
  `default-src 'self'; script-src 'self'; img-src data:; connect-src 'self' ${url}`

const WITHOUT_WASM = { __VUE_CHAIN_WASM__: 'false' }

let browser: Browser
let devnode: Devnode
beforeAll(async () => {
  ;[browser, devnode] = await Promise.all([launch(), createDevnode({ origins: [EXTENSION_ORIGIN] })])
})
afterAll(async () => {
  await browser.close()
  await devnode.close()
})

/** A place that runs JavaScript, with an engine. */
interface Place {
  evaluate<T>(expression: string): Promise<T>
  /** The built files and the requested URLs. */
  files(): readonly string[]
  /** Console errors and uncaught exceptions. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

async function openServed(code: (url: string) => string, isWorker: boolean): Promise<Place> {
  const url = devnode.urls.borsh
  const built = await servePage(code(url), { 'content-security-policy': policy(url) }, WITHOUT_WASM)
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  const worker = isWorker ? page.waitForEvent('worker') : undefined
  await page.goto(built.url, { waitUntil: 'load' })
  const scope: Pick<Worker, 'evaluate'> = (await worker) ?? page
  await expect.poll(() => scope.evaluate('typeof engine')).toBe('object')
  return {
    evaluate: (expression) => scope.evaluate(expression),
    files: () => [...built.files, ...built.requested],
    problems,
    close: async () => {
      await page.close()
      built.close()
    },
  }
}

async function openExtension(bundler: Bundler): Promise<Place> {
  const extension = await buildExtension(serviceWorkerCode(devnode.urls.borsh), bundler)
  const profile = mkdtempSync(join(tmpdir(), 'vue-chain-profile-'))
  const context = await launchWithExtension(profile, extension.folder)
  const requested: string[] = []
  const problems: string[] = []
  context.on('request', (request) => requested.push(request.url()))
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  worker.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await expect.poll(() => worker.evaluate('typeof engine')).toBe('object')
  return {
    evaluate: (expression) => worker.evaluate(expression),
    files: () => [...extension.files, ...requested],
    problems,
    close: async () => {
      await context.close()
      extension.remove()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

describe.each<[place: string, open: () => Promise<Place>]>([
  ["a page under `script-src 'self'`", () => openServed(engineCode, false)],
  ['a Web Worker', () => openServed(workerCode, true)],
  ['the service worker of an extension (Manifest V3) built by Vite', () => openExtension(bundleByVite)],
  ['the service worker of an extension (Manifest V3) built by esbuild', () => openExtension(bundleByEsbuild)],
])('light in %s', (_, open) => {
  it('creates a mnemonic, shows a balance and pays, without a .wasm file', async () => {
    const { evaluate, files, problems, close } = await open()
    const address = await evaluate<string>(`(async () => {
      await engine.wasm.init()
      const mnemonic = engine.keys.generateMnemonic(12)
      globalThis.keypair = engine.keys.mnemonicToKeypair(mnemonic.phrase, 'simnet')
      return keypair.address
    })()`)
    await devnode.fund(address, 500_000_000n)
    const balance = await evaluate<string>(`(async () => {
      await engine.connection.connect()
      const { balance } = await engine.rpc.getBalanceByAddress(keypair.address)
      return String(balance)
    })()`)
    expect(balance).toBe('500000000')
    const id = await evaluate<string>(`(async () => {
      const entries = await engine.rpc.getUtxosByAddresses([keypair.address])
      const outputs = [{ address: '${devnode.accounts[0]!.address}', amount: 100_000_000n }]
      const { transactionIds } = await engine.transactions.send({ entries, outputs, changeAddress: keypair.address, privateKeys: [keypair.privateKeyHex] })
      return transactionIds[0]
    })()`)
    await devnode.mine(2)
    const [accepted] = devnode.expected.transfers([devnode.accounts[0]!.address]).slice(-1)
    expect(accepted).toMatchObject({ transactionId: id, amount: 100_000_000n })
    expect(files().filter((path) => path.includes('.wasm'))).toEqual([])
    expect(problems).toEqual([])
    await close()
  })
})
