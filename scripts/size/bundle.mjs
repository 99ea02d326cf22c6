/** Bundles one line of code as a user's production build would, in memory, and measures the result. */
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '../..')
const OURS = resolve(ROOT, 'src')
const ENTRY = '\0size-entry'

/** The packages that are left out unless a bundle is that of a whole app. */
const PEERS = /^(vue|rxjs)(\/|$)/

/**
 * The chunks and assets of a bundle of `code`. External: the SDK, Node, and `peers` (vue and rxjs). As in an app, lazy
 * chunks may share modules with the entry chunk; with `signature` 'strict' it exports what `code` exports and no more.
 * `conditions` replace Vite's for the `exports` of packages. With `sideEffects` package.json decides which modules have
 * any, with `ignoresPromise` what each of our modules does, whatever package.json says of them.
 */
export async function bundle(
  code,
  {
    signature = 'allow-extension',
    peers = PEERS,
    define = {},
    conditions,
    plugins = [],
    sideEffects = false,
    ignoresPromise = false,
    minify = true,
  } = {},
) {
  const { output } = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    define,
    resolve: { conditions },
    plugins: [
      ...plugins,
      ...(ignoresPromise ? [withSideEffects] : []),
      { name: 'size-entry', resolveId: (id) => (id === ENTRY ? id : null), load: (id) => (id === ENTRY ? code : null) },
    ],
    build: {
      write: false,
      target: 'es2022',
      minify,
      modulePreload: false,
      rolldownOptions: {
        input: ENTRY,
        external: [peers, /^#sdk(\/|$)/, /^node:/, /^ws$/],
        preserveEntrySignatures: signature,
        treeshake: sideEffects || { moduleSideEffects: hasSideEffects },
      },
    },
  })
  return output
}

/**
 * Includes our modules for what they do at import, which `sideEffects` of package.json denies: it wins over
 * `treeshake`, but not over a plugin.
 */
const withSideEffects = {
  name: 'with-side-effects',
  enforce: 'pre',
  transform: (code, id) => (id.startsWith(OURS) ? { code, map: null, moduleSideEffects: true } : null),
}

/** Of packages that state nothing, and of our modules where package.json does not say it. */
const hasSideEffects = (id, isExternal) => !isExternal && (id.startsWith(OURS) || id === ENTRY)

/** The sizes of a bundle in bytes, minified and min + gzip: of the statically imported chunks, and of all. */
export function measure(output) {
  const chunks = output.filter((part) => part.type === 'chunk' && !part.moduleIds.every(isOfBundler))
  return { atOnce: sizesOf(loadedAtOnce(chunks)), all: sizesOf(chunks) }
}

const sizesOf = (chunks) => ({
  min: chunks.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0),
  gzip: chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0),
})

/**
 * Workers that an app which pays starts, built as files of their own: bytes min + gzip. The shared one is started by
 * the option `shared` only.
 */
export const sizeOfWorkers = (output) =>
  output
    .filter(({ type, fileName }) => type === 'asset' && fileName.endsWith('.js') && !fileName.includes('shared-worker'))
    .reduce((sum, { source }) => sum + gzipSync(source, { level: 9 }).length, 0)

/** Vite's helper for dynamic imports, which an app includes anyway. */
const isOfBundler = (id) => id.startsWith('\0vite/')

/** The entry chunk and what it imports statically, directly or not. */
const loadedAtOnce = (chunks) => reachedBy(chunks, ({ imports }) => imports)

/** The chunks that are loaded, at once or later, where those whose first module matches `never` are not. */
export function loadedBut(output, never) {
  const chunks = output.filter(({ type, facadeModuleId }) => type === 'chunk' && !never.test(facadeModuleId ?? ''))
  return reachedBy(chunks, ({ imports, dynamicImports }) => [...imports, ...dynamicImports])
}

/** The entry chunk, and those of `chunks` that it imports, directly or not. */
function reachedBy(chunks, importsOf) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set()
  const visit = (chunk) => {
    if (chunk === undefined || found.has(chunk)) return
    found.add(chunk)
    for (const name of importsOf(chunk)) visit(byName.get(name))
  }
  visit(chunks.find(({ isEntry }) => isEntry))
  return [...found]
}

/** Modules that must not be part of an app: devnode, testing, the WASM and its glue. */
export function intrudersOf(output) {
  const ids = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [part.fileName]))
  return ids.filter((id) => /\/src\/(devnode|testing)\/|\.wasm\b|kaspa-wasm|\/dist\/sdk\//.test(id))
}
