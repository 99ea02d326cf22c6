import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { withBundle } from '../../scripts/bundle.mjs'

type WasmModule = typeof import('#sdk/wasm')

const DIST = resolve(import.meta.dirname, '../../dist/sdk')
/** An empty module. */
const WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)
const SHA256 = createHash('sha256').update(WASM).digest('hex')
const root = await mkdtemp(join(tmpdir(), 'wasm-location-'))
let copies = 0

afterAll(() => rm(root, { recursive: true }))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

/** A copy of dist/sdk/wasm.js in a folder of its own, perhaps edited as a bundler does. */
async function copyLoader(folder: string, edit: (code: string) => string = (code) => code): Promise<WasmModule> {
  const target = join(root, String(++copies), 'dist/sdk', folder) // `dist/sdk` is not transformed by vitest
  await mkdir(target, { recursive: true })
  const code = await readFile(join(DIST, 'wasm.js'), 'utf8')
  await writeFile(join(target, 'wasm.js'), edit(code.replace(/'[0-9a-f]{64}'/, `'${SHA256}'`)))
  await writeFile(join(target, 'kaspa_bg.wasm'), WASM)
  return import(/* @vite-ignore */ pathToFileURL(join(target, 'wasm.js')).href) as Promise<WasmModule>
}

const isModule = expect.any(WebAssembly.Module) as WebAssembly.Module

describe('the location of the WASM file', () => {
  it('is beside the loader, also in a folder whose name begins like Vite’s', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { compileOwn } = await copyLoader('deps-of-my-app')
    expect(await compileOwn()).toEqual(isModule)
  })

  it('is resolved by package name in Vite’s folder of optimised dependencies', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const { compileOwn } = await copyLoader('deps')
    await expect(compileOwn()).rejects.toThrow('deps/vue-chain/kaspa_bg.wasm')
  })

  it('is beside the loader without a bundler, where there is no `process`', async () => {
    const { compileOwn } = await copyLoader('deps', (code) => `const process = undefined\n${code}`)
    expect(await compileOwn()).toEqual(isModule)
  })

  it('is beside the page for a script that has no URL, such as an IIFE bundle', async () => {
    const { compileOwn } = await copyLoader('iife', (code) => code.replaceAll('import.meta.url', 'undefined'))
    const fetched: string[] = []
    vi.stubGlobal('location', { href: 'https://app.test/wallet/index.html' })
    vi.stubGlobal('fetch', (url: string) => {
      fetched.push(url)
      return Promise.resolve(new Response(WASM, { headers: { 'content-type': 'application/wasm' } }))
    })
    expect(await compileOwn()).toEqual(isModule)
    expect(fetched).toEqual(['https://app.test/wallet/kaspa_bg.wasm'])
  })

  it('can be given, is used by all instances, and can be given again after a failure', async () => {
    const { compileOwn, compileGiven } = await copyLoader('given')
    await expect(compileOwn(() => '/nowhere.wasm')).rejects.toThrow('/nowhere.wasm')
    const compiled = await compileGiven(WASM)
    expect(compiled).toEqual(isModule)
    expect(await compileOwn(() => '/nowhere.wasm')).toBe(compiled)
  })
})

it('the option `wasmUrl` is a path or a URL under Node, and errors name it', async () => {
  const elsewhere = join(root, 'elsewhere.wasm')
  await copyFile(join(DIST, 'kaspa_bg.wasm'), elsewhere)
  const urls = [elsewhere, pathToFileURL(elsewhere).href, '/missing.wasm']
  const script = `
    const { createChainEngine } = await import(process.argv[1])
    const init = async (wasmUrl) => {
      const engine = createChainEngine({ network: 'simnet', wasmUrl })
      return engine.wasm.init().then(() => 'ready', ({ details, hint }) => details + ' ' + hint)
    }
    console.log(await init(process.argv[2]))`
  const outputs = await withBundle({ streams: 'src/streams/index.ts' }, (folder: string) =>
    Promise.all(
      urls.map(async (url) => {
        const entry = pathToFileURL(join(folder, 'streams.js')).href
        const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, entry, url])
        return run.stdout.trim()
      }),
    ),
  )
  expect(outputs.slice(0, 2)).toEqual(['ready', 'ready'])
  expect(outputs[2]).toMatch(/\/missing\.wasm.* set the option wasmUrl/)
})
