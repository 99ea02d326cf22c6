/**
 * `node scripts/build-assets.mjs`: writes the files of dist that are not modules: dist/style.css with its types, joined
 * from the components' style files, and dist/fake-wallets.js, a script without imports that injects fake wallets into a
 * page.
 */
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, defaultClientConditions } from 'vite'

const ROOT = resolve(import.meta.dirname, '..')
const OUT = join(ROOT, 'dist')
const STYLE = join(ROOT, 'src/adapters/vue/components/style')
const REQUEST_STYLE = join(ROOT, 'src/adapters/vue/requests/style.css')
const COSIGNING_STYLE = join(ROOT, 'src/adapters/vue/cosigning/style.css')

/** RxJS without helpers for older engines. */
const CONDITIONS = ['es2015', ...defaultClientConditions]

/** The fake wallets as one script, which sets `window.fakeWallets`. */
export async function bundleFakeWallets() {
  const { output } = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: CONDITIONS },
    define: { __VUE_CHAIN_WASM__: 'false' }, // wallets on a devnode sign without it
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      rolldownOptions: { input: join(ROOT, 'src/testing/wallets/script.ts'), output: { format: 'iife' } },
    },
  })
  return output[0].code
}

/**
 * dist/browser.js and its lazily loaded chunks in dist/browser, for pages without a bundler: everything but Vue is
 * inside. Only chunks import the SDK, which lies beside their folder.
 */
async function bundleForPages() {
  rmSync(join(OUT, 'browser'), { recursive: true, force: true })
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    base: './', // the worker's file is beside its chunk, wherever the folder is served
    resolve: { conditions: CONDITIONS },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      { name: 'sdk-beside', enforce: 'pre', resolveId: (id) => SDK_FILES[id] && { id: SDK_FILES[id], external: true } },
      { name: 'shared-worker-beside', enforce: 'pre', transform: openSharedWorkerBeside },
    ],
    build: {
      outDir: OUT,
      assetsDir: 'browser',
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        input: { browser: join(ROOT, 'src/browser/index.ts') },
        preserveEntrySignatures: 'strict',
        external: ['vue'],
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'browser/[name]-[hash].js',
          codeSplitting: { groups: PAGE_CHUNKS },
        },
      },
    },
  })
}

/**
 * One chunk for what is loaded at once. Small later chunks are not merged: that makes chunks import each other in a
 * circle.
 */
const PAGE_CHUNKS = [{ name: 'core', tags: ['$initial'] }]

const SDK_FILES = { '#sdk': '../sdk/kaspa.js', '#sdk/wasm': '../sdk/wasm.js' }

/** The shared worker is the file of dist/chunks: Vite adds a copy of a worker only where its URL is one literal. */
function openSharedWorkerBeside(code, id) {
  if (!id.endsWith('/shared-connection/open-shared-worker.ts')) return null
  const expression = "'./shared-worker.js'"
  if (!code.includes(expression)) throw new Error(`${id} does not contain ${expression}`)
  return { code: code.replace(expression, "'../chunks/' + 'shared-worker.js'"), map: null }
}

/** The style files, joined in the order of their names. */
const joinStyle = () =>
  readdirSync(STYLE)
    .sort()
    .map((file) => readFileSync(join(STYLE, file), 'utf8'))
    .join('\n')

/** The same for one component alone: variables, buttons and its own rules. */
const joinStyleOf = (rules) =>
  [join(STYLE, '1-tokens.css'), join(STYLE, '2-controls.css'), rules]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')

/** Replaces a file atomically, because tests and servers may be reading it. */
function write(file, content) {
  const unfinished = join(OUT, `.${file}.${process.pid}`)
  writeFileSync(unfinished, content)
  renameSync(unfinished, join(OUT, file))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(OUT, { recursive: true })
  write('style.css', joinStyle())
  write('requests.css', joinStyleOf(REQUEST_STYLE))
  write('cosigning.css', joinStyleOf(COSIGNING_STYLE))
  write('style.d.ts', 'export {}\n') // TypeScript 6 reports side-effect imports without types
  write('fake-wallets.js', await bundleFakeWallets())
  await bundleForPages()
}
