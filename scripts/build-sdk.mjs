/**
 * `node scripts/build-sdk.mjs [FOLDER]`: creates dist/sdk (or FOLDER) from the installed Kaspa SDK: its glue as a
 * minified ES module, the WASM loader, the unchanged WASM file, typings and licence. Works offline. Fails where the
 * glue differs from what the conversion expects.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { transformSync } from 'esbuild'
import { WASM_SHA256 } from './sdk/wasm.js'
import { convertGlue, convertTypings } from './sdk/convert.mjs'

const ROOT = dirname(import.meta.dirname)
const out = process.argv[2] ?? join(ROOT, 'dist/sdk')
const manifest = createRequire(import.meta.url).resolve('kaspa-wasm/package.json')
const installed = (file) => readFileSync(join(dirname(manifest), file))
const { name, version } = JSON.parse(installed('package.json').toString())

/** The installed WASM file. Throws where it is not the one whose digest stands in scripts/sdk/wasm.js. */
function checkedWasm() {
  const wasm = installed('kaspa_bg.wasm')
  const found = createHash('sha256').update(wasm).digest('hex')
  if (found !== WASM_SHA256)
    throw new Error(
      `The SHA-256 of kaspa_bg.wasm of ${name} ${version} is ${found}, not ${WASM_SHA256}: review the SDK`,
    )
  return wasm
}

/** Replaces a file atomically, because tests and servers may be reading it. */
function write(file, content) {
  const unfinished = join(out, `.${file}.${process.pid}`)
  writeFileSync(unfinished, content)
  renameSync(unfinished, join(out, file))
}

/**
 * Half of the glue is docstrings, which the typings have too. Lines stay short, because Node prints the one that
 * throws.
 */
function minified(code) {
  const [origin] = code.split('\n', 1)
  return `${origin}\n${transformSync(code, { minify: true, format: 'esm', target: 'es2022', lineLimit: 160 }).code}`
}

mkdirSync(out, { recursive: true })
const source = (file) => readFileSync(join(ROOT, 'scripts/sdk', file), 'utf8')
write('LICENSE', installed('LICENSE'))
write('kaspa_bg.wasm', checkedWasm())
write('kaspa.d.ts', convertTypings(installed('kaspa.d.ts').toString()))
write('wasm.d.ts', source('wasm.d.ts'))
write('wasm.js', source('wasm.js'))
write('kaspa.js', minified(convertGlue(installed('kaspa.js').toString(), source('runtime.js'), `${name} ${version}`)))
