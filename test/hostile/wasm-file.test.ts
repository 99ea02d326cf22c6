import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { SdkSource } from '#sdk/wasm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const DIST = join(ROOT, 'dist/sdk')

/** An empty custom section: the file stays valid and behaves as before. */
const CUSTOM_SECTION = Uint8Array.of(0, 1, 0)

let folder: string

beforeEach(async () => {
  await mkdir(join(ROOT, '.cache'), { recursive: true })
  folder = await mkdtemp(join(ROOT, '.cache/wasm-file-'))
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await rm(folder, { recursive: true })
})

/** The loader beside this file. */
async function loaderOf(wasm: Uint8Array): Promise<typeof import('#sdk/wasm')> {
  await cp(join(DIST, 'wasm.js'), join(folder, 'wasm.mjs'))
  await writeFile(join(folder, 'kaspa_bg.wasm'), wasm)
  return (await import(pathToFileURL(join(folder, 'wasm.mjs')).href)) as typeof import('#sdk/wasm')
}

const ours = (): Promise<Uint8Array> => readFile(join(DIST, 'kaspa_bg.wasm'))
const tampered = async (): Promise<Uint8Array> => Buffer.concat([await ours(), CUSTOM_SECTION])

describe.each([
  ['with crypto.subtle', () => undefined],
  ['in an insecure context, without crypto.subtle', () => vi.stubGlobal('crypto', {})],
])('D12: our WASM file, %s', (_, prepare) => {
  it('is compiled where it has the digest in code', async () => {
    const { compileOwn } = await loaderOf(await ours())
    prepare()
    expect(await compileOwn()).toBeInstanceOf(WebAssembly.Module)
  })

  it('is refused where it differs, even in what has no effect', async () => {
    const { compileOwn, WASM_SHA256 } = await loaderOf(await tampered())
    prepare()
    const error: unknown = await compileOwn().catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      code: 'wasm-differs',
      message: expect.stringMatching(
        new RegExp(`is not our WASM file: its SHA-256 is [0-9a-f]{64}, not ${WASM_SHA256}$`),
      ),
    })
  })
})

describe('D12: a file that wasmUrl names', () => {
  const streamed = { headers: { 'content-type': 'application/wasm' } }
  const SOURCES: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => SdkSource | Promise<SdkSource>>> = {
    bytes: (bytes) => bytes,
    'a response that streams': (bytes) => new Response(bytes, streamed),
    'a response of no known type': (bytes) => Promise.resolve(new Response(bytes)),
    'a path': async (bytes) => {
      await writeFile(join(folder, 'other.wasm'), bytes)
      return join(folder, 'other.wasm')
    },
  }

  it.each(Object.entries(SOURCES))('is checked as %s', async (_, sourceOf) => {
    const { compileOwn } = await loaderOf(await ours())
    const other = Uint8Array.from(await tampered())
    await expect(compileOwn(() => sourceOf(other))).rejects.toMatchObject({ code: 'wasm-differs' })
    const own = Uint8Array.from(await ours())
    expect(await compileOwn(() => sourceOf(own))).toBeInstanceOf(WebAssembly.Module)
  })
})

describe('D12: another WASM file', () => {
  it('is not checked where the caller passes it', async () => {
    const { compile } = await loaderOf(await ours())
    expect(await compile(Uint8Array.from(await tampered()))).toBeInstanceOf(WebAssembly.Module)
  })

  it('fails the build', async () => {
    await cp(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true })
    const loader = join(folder, 'scripts/sdk/wasm.js')
    const text = await readFile(loader, 'utf8')
    await writeFile(loader, text.replace(/(WASM_SHA256 = ')[0-9a-f]{64}/, `$1${'0'.repeat(64)}`))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const build = promisify(execFile)(process.execPath, [join(folder, 'scripts/build-sdk.mjs'), join(folder, 'out')])
    await expect(build).rejects.toThrow(
      /The SHA-256 of kaspa_bg\.wasm of .* is [0-9a-f]{64}, not 0{64}: review the SDK/,
    )
  })
})
