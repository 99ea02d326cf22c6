import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import hd from '../fixtures/consensus/hd.json' with { type: 'json' }
import messages from '../fixtures/consensus/messages.json' with { type: 'json' }
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { launch } from './browser.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** A page that has everything of keys and loads none of it until asked. */
const PAGE = `
  import { createKeys } from ${file('operations/keys/keys.ts')}
  import { createWasm } from ${file('streams/wasm.ts')}
  const wasm = createWasm(() => import(${file('sdk/wasm/load.ts')}).then(({ loadSdk }) => loadSdk()))
  window.wasm = wasm
  window.keys = createKeys((operation) => wasm.sdk(operation))
  window.sdk = async () => { const { createSdk } = await import(${JSON.stringify(resolve(import.meta.dirname, '../../dist/sdk/kaspa.js'))}); const sdk = createSdk(); await sdk.default(); return sdk }
`
/** No more than keys need: nothing made of text, no code from elsewhere. */
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

async function openPage(): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(built.url, { waitUntil: 'networkidle' })
  return { page, complaints }
}

describe('a minified page under a strict Content-Security-Policy', () => {
  it('asks for the WASM file when it is told to and not before, and for one file only', async () => {
    const { page, complaints } = await openPage()
    const before = built.requested.length
    expect(built.requested.filter((path) => path.endsWith('.wasm'))).toEqual([])
    expect(await page.evaluate('wasm.init().then(() => wasm.init()).then(() => keys.isValidMnemonic("")) ')).toBe(false)
    expect(built.requested.slice(before).filter((path) => path.endsWith('.wasm'))).toHaveLength(1)
    expect(built.files.filter((path) => path.endsWith('.wasm'))).toHaveLength(1)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('derives, signs and verifies as Node does', async () => {
    const { page, complaints } = await openPage()
    const { phrase, accounts } = hd.vectors[0]!
    const derived = await page.evaluate(`wasm.init().then(() => keys.mnemonicToKeypair('${phrase}', 'mainnet'))`)
    expect(derived).toMatchObject({ address: accounts['0'].networks.mainnet.receive[0] })
    const { message, publicKey, privateKey, vectors } = messages
    const verify = `keys.verifyMessage(${JSON.stringify(message)}, '${vectors[0]!.signature}', '${publicKey}')`
    expect(await page.evaluate(verify)).toBe(true)
    const signed = `(({ message, signature, publicKeyHex }) => keys.verifyMessage(message, signature, publicKeyHex))`
    expect(await page.evaluate(`${signed}(keys.signMessage(${JSON.stringify(message)}, '${privateKey}'))`)).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  it("keeps the SDK's own builder working too, though no frame ever comes", async () => {
    const { page, complaints } = await openPage()
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
    expect(complaints).toEqual([])
    await page.close()
  })
})

it('says what to do where the policy forbids WASM altogether', async () => {
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

it('asks for the WASM file right after the loader, and only then for the glue', async () => {
  const plain = await servePage(`
    window.load = () => import(${file('sdk/wasm/load.ts')}).then(({ loadSdk }) => loadSdk())
  `)
  const page = await browser.newPage()
  await page.goto(plain.url, { waitUntil: 'networkidle' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(/(\w+)-[^/]*$/.exec(request.url())?.[1] ?? request.url()))
  const glueAsked = page.waitForRequest(/kaspa-[^/]*\.js$/)
  await page.evaluate('void load()')
  await glueAsked
  expect(asked).toEqual(['load', 'kaspa_bg', 'kaspa'])
  await page.close()
  plain.close()
})
