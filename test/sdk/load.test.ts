import { firstValueFrom } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { isProxy, reactive } from 'vue'
import { loadSdk, pinClassNames } from '../../src/sdk/wasm/load.js'

/** A function that traps as a Rust panic does: (module (func (export "trap") unreachable)). */
function trap(): never {
  const bytes = '0061736d0100000001040160000003020100070801047472617000000a05010300000b'
  const instance = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(Buffer.from(bytes, 'hex'))))
  const run = instance.exports.trap as () => never
  return run()
}

describe('loading the SDK', () => {
  it('loads once per loader function', async () => {
    const load = vi.fn(() => import('#sdk'))
    const [one, two] = await Promise.all([loadSdk(load), loadSdk(load)])
    expect(one).toBe(two)
    expect(await loadSdk(load)).toBe(one)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('loads separate instances for different loader functions', async () => {
    const [one, two] = await Promise.all([loadSdk(() => import('#sdk')), loadSdk(() => import('#sdk'))])
    expect(one).not.toBe(two)
  })

  it('rejects with the loader’s error and loads again with the next call', async () => {
    const refusal = new TypeError('Failed to fetch')
    const load = vi.fn(() => import('#sdk')).mockRejectedValueOnce(refusal)
    await expect(loadSdk(load)).rejects.toBe(refusal)
    expect((await loadSdk(load)).isValidMnemonic('')).toBe(false)
  })

  it('replaces an instance that has panicked and emits the panic once', async () => {
    const { createSdk } = await import('#sdk')
    const instances = [{ ...createSdk(), signMessage: trap }, createSdk()]
    const load = (): Promise<unknown> => Promise.resolve(instances.shift())
    const broken = await loadSdk(load)
    expect(() => broken.signMessage('m', '33'.repeat(32))).toThrow('The Kaspa WASM module has panicked')
    const error = await firstValueFrom(broken.broken$)
    expect(error).toMatchObject({ code: 'wasm-panicked', cause: expect.any(WebAssembly.RuntimeError) })
    expect((await loadSdk(load)).signMessage('m', '33'.repeat(32))).toMatch(/^[0-9a-f]{128}$/)
  })

  it.each([
    ['the module of something else', {}, /lacks Mnemonic\.random, .*verifyMessage$/],
    ['nothing', undefined, /lacks Mnemonic\.random/],
    ['an SDK without generators', { PublicKeyGenerator: undefined }, /^The given SDK lacks PublicKeyGenerator\.from/],
  ])('reports the missing members of %s', async (_, given, message) => {
    const stock = given !== undefined && 'PublicKeyGenerator' in given ? (await import('kaspa-wasm')).default : {}
    const load = (): Promise<unknown> => Promise.resolve(given && { ...stock, ...given })
    await expect(loadSdk(load)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      code: 'sdk-unsupported',
      argument: 'sdk',
    })
  })

  it('rejects a result that is no signature script', async () => {
    const module = { ...(await import('kaspa-wasm')).default, signScriptHash: () => '40' + '00'.repeat(64) }
    const sdk = await loadSdk(() => Promise.resolve(module))
    expect(() => sdk.signHashes([new Uint8Array(32)], '33'.repeat(32))).toThrow('returns no Schnorr signature script')
  })

  it('installs the panic hook that the caller chooses', async () => {
    const hooks = { initConsolePanicHook: vi.fn(), initBrowserPanicHook: vi.fn() }
    const loader = async (): Promise<() => Promise<unknown>> => {
      const module = { ...(await import('kaspa-wasm')).default, ...hooks }
      return () => Promise.resolve(module)
    }
    await loadSdk(await loader(), false)
    expect(hooks.initConsolePanicHook).not.toHaveBeenCalled()
    await loadSdk(await loader(), 'browser')
    expect(hooks.initBrowserPanicHook).toHaveBeenCalledTimes(1)
    await loadSdk(await loader())
    expect(hooks.initConsolePanicHook).toHaveBeenCalledTimes(1)
  })

  it('excludes SDK objects from reactivity, where freeing one would free it twice', async () => {
    const module = (await import('#sdk')).createSdk()
    await loadSdk(() => Promise.resolve(module))
    const state = reactive({ deep: { key: new module.PrivateKey('33'.repeat(32)) } })
    expect(isProxy(state.deep)).toBe(true)
    expect(isProxy(state.deep.key)).toBe(false)
    state.deep.key.free()
  })

  it('restores the names of minified classes, which the SDK checks', async () => {
    const { PrivateKey } = (await import('#sdk')).createSdk()
    Object.defineProperty(PrivateKey, 'name', { value: 'a', configurable: true })
    pinClassNames({ PrivateKey, version: () => '0' })
    expect(PrivateKey.name).toBe('PrivateKey')
  })
})
