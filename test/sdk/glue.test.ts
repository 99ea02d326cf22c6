import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { IGeneratorSettingsObject } from '#sdk'
import { describe, expect, it, vi } from 'vitest'

const DIST = resolve(import.meta.dirname, '../../dist/sdk')
const wasmFile = (): Promise<Buffer<ArrayBuffer>> => readFile(resolve(DIST, 'kaspa_bg.wasm'))
const KEY = '33'.repeat(32)

describe('the converted glue', () => {
  it('has the exports of a web-target module: a default init, and named exports that work after it', async () => {
    const { default: init, PrivateKey, version } = await import('#sdk')
    await init()
    expect(version()).toBe('0.15.2')
    expect(new PrivateKey(KEY).toString()).toBe(KEY)
  })

  it('creates a new instance per call, with its own classes and memory', async () => {
    const { createSdk } = await import('#sdk')
    const [one, two] = [createSdk(), createSdk()]
    await Promise.all([one.default(), two.default()])
    expect(one.PrivateKey).not.toBe(two.PrivateKey)
    const foreign = new two.PrivateKey(KEY)
    expect(() => one.signScriptHash('11'.repeat(32), foreign)).toThrow('expected instance of PrivateKey')
    expect(two.signScriptHash('11'.repeat(32), foreign)).toHaveLength(132)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['bytes', wasmFile],
    ['a compiled module', async () => WebAssembly.compile(await wasmFile())],
    ['a record of bytes', async () => ({ module_or_path: await wasmFile() })],
    ['a record of a promise', () => Promise.resolve({ module_or_path: wasmFile() })],
    ['the URL of a file', () => Promise.resolve(new URL(`file://${DIST}/kaspa_bg.wasm`))],
    ['its text', () => Promise.resolve(`file://${DIST}/kaspa_bg.wasm`)],
    [
      'a response that streams',
      async () => new Response(await wasmFile(), { headers: { 'content-type': 'application/wasm' } }),
    ],
    ['a response of no known type', async () => new Response(await wasmFile())],
  ])('loads its WASM from %s', async (_, source) => {
    const sdk = (await import('#sdk')).createSdk()
    await sdk.default((await source()) as BufferSource)
    expect(sdk.version()).toBe('0.15.2')
  })

  it('reports what it found in place of the WASM file, and can be initialized again', async () => {
    const sdk = (await import('#sdk')).createSdk()
    const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    await expect(sdk.default(page)).rejects.toThrow('is a web page, not the Kaspa WASM file')
    await expect(sdk.default(new Response('', { status: 404 }))).rejects.toThrow('could not be fetched: status 404')
    await expect(sdk.default(new Uint8Array([0, 1, 2]))).rejects.toThrow(WebAssembly.CompileError)
    await sdk.default()
    expect(sdk.version()).toBe('0.15.2')
  })

  it('builds transactions without animation frames, as in a hidden tab', async () => {
    vi.stubGlobal('requestAnimationFrame', () => 0)
    const sdk = (await import('#sdk')).createSdk()
    await sdk.default()
    const address = new sdk.PrivateKey(KEY).toAddress('simnet').toString()
    const settings: unknown = {
      entries: manyEntries(200, address),
      outputs: [{ address, amount: 150_000_000_000n }],
      changeAddress: address,
      priorityFee: 0n,
      networkId: 'simnet',
    }
    const { transactions } = await sdk.createTransactions(settings as IGeneratorSettingsObject)
    expect(transactions.length).toBeGreaterThan(1)
    vi.unstubAllGlobals()
  })

  it('evaluates no code from strings, as a Content-Security-Policy may require', async () => {
    const script = `
      const { createSdk } = await import(${JSON.stringify(`${DIST}/kaspa.js`)})
      const sdk = createSdk()
      await sdk.default()
      const address = new sdk.PrivateKey('${KEY}').toAddress('simnet').toString()
      const entries = (${manyEntries.toString()})(200, address)
      const { transactions } = await sdk.createTransactions({ entries, outputs: [{ address, amount: 150_000_000_000n }], changeAddress: address, priorityFee: 0n, networkId: 'simnet' })
      console.log(transactions.length > 1, sdk.Mnemonic.random(12).phrase.split(' ').length)`
    const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script]
    expect((await promisify(execFile)(process.execPath, flags)).stdout).toBe('true 12\n')
  })
})

/** Enough UTXOs for several transactions. Self-contained: its source is run in another process too. */
function manyEntries(count: number, address: string) {
  const script = '203c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1ac'
  return Array.from({ length: count }, (_, index) => ({
    address,
    outpoint: { transactionId: '11'.repeat(32), index },
    amount: 1_000_000_000n,
    scriptPublicKey: { version: 0, script },
    blockDaaScore: 0n,
    isCoinbase: false,
  }))
}
