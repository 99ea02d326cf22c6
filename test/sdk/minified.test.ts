import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'vue-chain-minified-'))
const bundle = join(folder, 'out/page.mjs')

/** Passes SDK objects to the SDK, which checks their `constructor.name`. */
const PAGE = `
  import init, * as sdk from ${JSON.stringify(resolve(import.meta.dirname, '../../dist/sdk/kaspa.js'))}
  await init()
  const privateKey = new sdk.PrivateKey('${'33'.repeat(32)}')
  const signature = sdk.signMessage({ message: 'm', privateKey })
  const generator = new sdk.PrivateKeyGenerator(new sdk.XPrv('${'11'.repeat(64)}'), false, 0n)
  console.log(sdk.verifyMessage({ message: 'm', signature, publicKey: privateKey.toPublicKey() }))
  console.log(generator.receiveKey(0).toString().length)
`

beforeAll(async () => {
  writeFileSync(join(folder, 'page.js'), PAGE)
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    base: './',
    build: {
      outDir: 'out',
      target: 'es2022',
      minify: true,
      modulePreload: false,
      rolldownOptions: { input: join(folder, 'page.js'), output: { entryFileNames: 'page.mjs' } },
    },
  })
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

it('accepts its own objects after minification renamed their classes, and finds its WASM file', () => {
  expect(execFileSync(process.execPath, [bundle], { encoding: 'utf8' })).toBe('true\n64\n')
})

it('keeps the parentheses that make browsers compile the glue eagerly', () => {
  expect(readFileSync(bundle, 'utf8')).toMatch(/=\(function\(\)\{/)
})
