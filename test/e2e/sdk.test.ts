import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import hd from '../fixtures/consensus/hd.json' with { type: 'json' }
import messages from '../fixtures/consensus/messages.json' with { type: 'json' }
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { launch } from './browser.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** A page with the key operations, which loads the SDK on demand. */
const PAGE = `
  import { createKeys } from ${file('operations/keys/keys.ts')}
  import { createWasm } from ${file('streams/wasm.ts')}
  const wasm = createWasm(() => import(${file('sdk/wasm/load.ts')}).then(({ loadSdk }) => loadSdk()))
  window.wasm = wasm
  window.keys = createKeys((operation) => wasm.sdk(operation))
  window.sdk = async () => { const { createSdk } = await import(${JSON.stringify(resolve(import.meta.dirname, '../../dist/sdk/kaspa.js'))}); const sdk = createSdk(); await sdk.default(); return sdk }
`
/** The minimum for key operations: no eval, no third-party code. */
const CSP = "default-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'"

let browser: Browser
let built: BuiltPage
beforeAll(async () => {
  ;[browser, built] = await Promise.all([launch(), servePage(PAGE, { 'content-security-policy': CSP })])
})
afterAll(async () => {
  await browser.close()
  built.close()
})

async function openPage(): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(built.url, { waitUntil: 'networkidle' })
  return { page, problems }
}

describe('a minified page under a strict Content-Security-Policy', () => {
  it('requests one WASM file, and only on init()', async () => {
    const { page, problems } = await openPage()
    const before = built.requested.length
    expect(built.requested.filter((path) => path.endsWith('.wasm'))).toEqual([])
    expect(await page.evaluate('wasm.init().then(() => wasm.init()).then(() => keys.isValidMnemonic("")) ')).toBe(false)
    expect(built.requested.slice(before).filter((path) => path.endsWith('.wasm'))).toHaveLength(1)
    expect(built.files.filter((path) => path.endsWith('.wasm'))).toHaveLength(1)
    expect(problems).toEqual([])
    await page.close()
  })

  it('derives, signs and verifies as Node does', async () => {
    const { page, problems } = await openPage()
    const { phrase, accounts } = hd.vectors[0]!
    const derived = await page.evaluate(`wasm.init().then(() => keys.mnemonicToKeypair('${phrase}', 'mainnet'))`)
    expect(derived).toMatchObject({ address: accounts['0'].networks.mainnet.receive[0] })
    const { message, publicKey, privateKey, vectors } = messages
    const verify = `keys.verifyMessage(${JSON.stringify(message)}, '${vectors[0]!.signature}', '${publicKey}')`
    expect(await page.evaluate(verify)).toBe(true)
    const signed = `(({ message, signature, publicKeyHex }) => keys.verifyMessage(message, signature, publicKeyHex))`
    expect(await page.evaluate(`${signed}(keys.signMessage(${JSON.stringify(message)}, '${privateKey}'))`)).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })

  it("runs the SDK's own transaction builder without animation frames", async () => {
    const { page, problems } = await openPage()
    const count = await page.evaluate(`(async () => {
      window.requestAnimationFrame = () => 0
      const sdk = await window.sdk()
      const address = new sdk.PrivateKey('${messages.privateKey}').toAddress('simnet').toString()
      const script = '20${messages.xOnlyPublicKey}ac'
      const entries = Array.from({ length: 200 }, (_, index) => ({ address, outpoint: { transactionId: '11'.repeat(32), index },
        amount: 1000000000n, scriptPublicKey: { version: 0, script }, blockDaaScore: 0n, isCoinbase: false }))
      const settings = { entries, outputs: [{ address, amount: 150000000000n }], changeAddress: address, priorityFee: 0n, networkId: 'simnet' }
      return (await sdk.createTransactions(settings)).transactions.length
    })()`)
    expect(count).toBeGreaterThan(1)
    expect(problems).toEqual([])
    await page.close()
  })
})

it('D12 refuses another WASM file than its own', async () => {
  const page = await browser.newPage()
  await page.route('**/*.wasm', async (route) => {
    const response = await route.fetch()
    const emptyCustomSection = Buffer.from([0, 1, 0])
    await route.fulfill({ response, body: Buffer.concat([await response.body(), emptyCustomSection]) })
  })
  await page.goto(built.url)
  const failure = await page.evaluate(
    `wasm.init().catch(({ code, hint, cause }) => ({ code, hint, cause: cause.message }))`,
  )
  expect(failure).toEqual({
    code: 'wasm-differs',
    hint: expect.stringContaining('Serve kaspa_bg.wasm of this version of vue-chain'),
    cause: expect.stringContaining('is not our WASM file: its SHA-256 is'),
  })
  await page.unroute('**/*.wasm')
  expect(await page.evaluate('wasm.init().then(() => keys.isValidMnemonic(""))')).toBe(false)
  await page.close()
})

it('rejects with a hint where the policy forbids WASM', async () => {
  const strict = await servePage(PAGE, { 'content-security-policy': "default-src 'self'; img-src data:" })
  const page = await browser.newPage()
  await page.goto(strict.url)
  const failure = await page.evaluate(
    `wasm.init().catch(({ code, hint, cause }) => ({ code, hint, cause: cause.message }))`,
  )
  expect(failure).toEqual({
    code: 'wasm-load-failed',
    hint: expect.stringContaining("allow 'wasm-unsafe-eval'"),
    cause: expect.stringContaining('Content Security Policy'),
  })
  await page.close()
  strict.close()
})

it('requests the WASM file right after the loader, and the glue afterwards', async () => {
  const plain = await servePage(`
    window.load = () => import(${file('sdk/wasm/load.ts')}).then(({ loadSdk }) => loadSdk())
  `)
  const page = await browser.newPage()
  await page.goto(plain.url, { waitUntil: 'networkidle' })
  const requested: string[] = []
  page.on('request', (request) => requested.push(/(?<!\w)(\w+)-[^/]*$/.exec(request.url())?.[1] ?? request.url()))
  const glueRequest = page.waitForRequest(/kaspa-[^/]*\.js$/)
  await page.evaluate('void load()')
  await glueRequest
  expect(requested).toEqual(['load', 'kaspa_bg', 'kaspa'])
  await page.close()
  plain.close()
})
