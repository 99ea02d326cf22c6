/**
 * The files of the built package. What apps load at once is in dist/modules, in files small enough that every bundler
 * leaves out what the app does not use: those that divide code into chunks decide by file, and a file of several
 * modules comes as a whole. Modules that the same exports and the same later parts load are one file. Everything else
 * (parts that are loaded later, devnode, commands) is joined into dist/chunks.
 *
 * Node opens other files in place of dist/modules, because each takes 0.3 ms: one for each of `FILES_FOR_NODE`, which
 * build-node.mjs joins. Therefore dist/chunks imports `#core/streams/x`, which package.json resolves to dist/modules/
 * streams/x.js, and in Node to dist/node/chunks/core.js.
 */
import { dirname, extname, join, relative, sep } from 'node:path'
import { transformSync } from 'esbuild'
import { minifySync } from 'rolldown/utils'

const FOLDER = 'modules/'

/** Docstrings are in the declarations; bundlers need annotations. */
const COMMENTS = { legal: true, annotation: true, jsdoc: false }

/**
 * Rolldown's options of the output; `entries` are the entry points that apps import, `others` are the other ones,
 * `sources` is their folder.
 */
export const distLayout = (sources, entries, others) => ({
  chunkFileNames: ({ name }) => (name.startsWith(FOLDER) ? '[name].js' : 'chunks/[name]-[hash].js'),
  minifyInternalExports: false,
  comments: COMMENTS,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { debugName: 'modules', name: nameOfModule(sources, entries, others) },
      { debugName: 'test kit', name: nameOfTestKit(sources) },
      { debugName: 'work of payouts', name: nameOfPayoutWork(sources) },
      { debugName: 'tables', name: nameByFolder(sources, 'sql') },
      { debugName: 'script machine', name: nameByFolder(sources, 'script') },
    ],
  },
})

/**
 * A Vite plugin: what is not loaded at once imports dist/modules by the names that depend on conditions, and every
 * file is compact.
 */
export const importsByCondition = () => ({
  name: 'imports-by-condition',
  apply: 'build',
  enforce: 'post',
  generateBundle(_, files) {
    const filesForNode = toFilesForNode((file) => files[file]?.imports ?? [])
    const names = new Map([...filesForNode].map(([file, node]) => [file, `#${node}/${nameIn(FOLDER, file)}`]))
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue
      const isAtOnce = names.has(file.fileName) || ENTRIES_FOR_APPS.includes(file.fileName)
      file.code = compact(file.fileName, isAtOnce ? file.code : renamed(file, names))
    }
  },
})

const nameIn = (folder, file) => file.slice(folder.length, -extname(file).length)

/** The code of a chunk with the other names of what it imports. */
function renamed({ fileName, imports, code }, names) {
  return imports.reduce((text, imported) => {
    const name = names.get(imported)
    if (name === undefined) return text
    const path = relative(dirname(fileName), imported).replaceAll(sep, '/')
    const specifier = JSON.stringify(path.startsWith('.') ? path : `./${path}`)
    const replaced = text.replace(` ${specifier};`, ` ${JSON.stringify(name)};`)
    if (replaced === text) throw new Error(`${fileName} does not import ${specifier}`)
    return replaced
  }, code)
}

/**
 * The code without blanks and with short names of what is inside functions. Functions keep theirs, by which stack
 * traces read as the source; lines stay short, because Node prints the one that throws.
 */
export function compact(fileName, code) {
  const marked = code.replace(/\/\*\s*[#@]__PURE__\s*\*\/\s*/g, PURE)
  const { code: renamed, errors } = minifySync(fileName, marked, {
    module: true,
    compress: false,
    mangle: { toplevel: false, keepNames: true },
    codegen: { removeWhitespace: false },
  })
  if (errors.length > 0) throw new Error(`${fileName}: ${errors[0].message}`)
  const short = transformSync(renamed, { minifyWhitespace: true, lineLimit: 160, format: 'esm', target: 'es2022' }).code
  const whole = short.replaceAll('\\\n', '') // texts, which bundlers read: the file of a worker is one
  return whole.replace(/void\s+void\s+void\b\s*/g, '/*@__PURE__*/')
}

/** Stands for the annotation of calls without side effects, which both would leave out. */
const PURE = 'void void void '

/** The files of dist that apps import. */
export const ENTRIES_FOR_APPS = ['light', 'contracts', 'rest', 'core', 'streams', 'index'].map((name) => `${name}.js`)

/**
 * The files that Node opens of what is loaded at once. The first that fits is that of a file of dist/modules, by the
 * entries that load it. Only `vue` needs Vue, which services do not install.
 */
const FILES_FOR_NODE = [
  ['keys', (by, file) => isByLightAlone(by) && !/^modules\/(engine|operations)\//.test(file)],
  ['light', isByLightAlone],
  ['base', (by) => by('light') || (by('contracts') && by('streams'))],
  ['contracts', (by) => by('contracts')],
  ['rest', (by) => by('rest')],
  ['core', (by) => by('core')],
  ['vue', (_, file) => file.startsWith(`${FOLDER}adapters/`)],
  ['streams', () => true],
]

function isByLightAlone(by) {
  return by('light') && !['rest', 'contracts', 'streams'].some(by)
}

/** The files of dist/modules with the names of those in dist/node/chunks that Node opens in their place. */
export function toFilesForNode(importsOf) {
  const loaded = new Map(ENTRIES_FOR_APPS.map((entry) => [entry, closureOf([entry], importsOf)]))
  const files = new Set([...loaded.values()].flatMap((found) => [...found]).filter((file) => file.startsWith(FOLDER)))
  return new Map(
    [...files].map((file) => {
      const isLoadedBy = (entry) => loaded.get(`${entry}.js`).has(file)
      const [node] = FILES_FOR_NODE.find(([, fits]) => fits(isLoadedBy, file))
      return [file, node]
    }),
  )
}

/** Names one file for the modules of a folder. */
const nameByFolder = (sources, folder) => (id) => (id.startsWith(join(sources, folder) + sep) ? folder : null)

/** Names the file of what payouts load when they begin to work. */
function nameOfPayoutWork(sources) {
  const folders = ['payouts', 'streams/payouts', 'operations/payouts'].map((folder) => join(sources, folder) + sep)
  const entries = ['payouts/index.ts', 'payouts/testing/index.ts'].map((file) => join(sources, file))
  let loadedAtOnce
  return (id, context) => {
    loadedAtOnce ??= importsOf(entries, context)
    return !loadedAtOnce.has(id) && folders.some((folder) => id.startsWith(folder)) ? 'payout-work' : null
  }
}

/**
 * Names the file of a module that is loaded at once; null for others, which Rolldown divides by who imports them. The
 * file has the name of the first of its modules. What only contracts load is one file: apps use all of it.
 */
function nameOfModule(sources, entries, others) {
  const butContracts = entries.filter((entry) => entry !== join(sources, 'contracts/index.ts'))
  let loadedAtOnce
  let loadedByOthers
  let firstOf
  return (id, context) => {
    loadedAtOnce ??= importsOf(entries, context)
    loadedByOthers ??= importsOf(butContracts, context)
    firstOf ??= firstModules(sources, loadedAtOnce, rootsOf(entries, others, context), context)
    if (!id.startsWith(sources + sep) || entries.includes(id) || !loadedAtOnce.has(id)) return null
    if (!loadedByOthers.has(id)) return `${FOLDER}contracts`
    return FOLDER + relative(sources, firstOf.get(id)).slice(0, -extname(id).length).replaceAll(sep, '/')
  }
}

/** Of each module of `ids` the first that the same of `roots` load; adapters apart, for only they may need Vue. */
function firstModules(sources, ids, roots, context) {
  const loaders = new Map([...ids].map((id) => [id, [id.startsWith(join(sources, 'adapters') + sep)]]))
  for (const root of roots) for (const id of importsOf([root], context)) loaders.get(id)?.push(root)
  const first = new Map()
  for (const [id, found] of loaders) if (!first.has(found.join())) first.set(found.join(), id)
  return new Map([...loaders].map(([id, found]) => [id, first.get(found.join())]))
}

/** What `entries` export, what is loaded later, and the `others`. */
function rootsOf(entries, others, context) {
  const reached = new Set([...entries, ...others])
  const later = new Set(others)
  for (const id of reached) {
    const { importedIds = [], dynamicallyImportedIds = [] } = context.getModuleInfo(id) ?? {}
    for (const imported of [...importedIds, ...dynamicallyImportedIds]) reached.add(imported)
    for (const imported of dynamicallyImportedIds) later.add(imported)
  }
  const exported = entries.flatMap((entry) => context.getModuleInfo(entry).importedIds)
  return new Set([...exported, ...later].filter((id) => !entries.includes(id)))
}

/**
 * Names the file of what `vue-chain/testing` loads at once: its parts that are loaded later import some of it, which
 * would become exports of the entry point.
 */
function nameOfTestKit(sources) {
  const folder = join(sources, 'testing')
  const entry = join(folder, 'index.ts')
  let loadedAtOnce
  return (id, context) => {
    loadedAtOnce ??= importsOf([entry], context)
    return id.startsWith(folder + sep) && id !== entry && loadedAtOnce.has(id) ? 'test-kit' : null
  }
}

/** The modules that `entries` import statically, directly or not. */
const importsOf = (entries, context) => closureOf(entries, (id) => context.getModuleInfo(id)?.importedIds ?? [])

function closureOf(entries, importsOf) {
  const found = new Set(entries)
  for (const id of found) for (const imported of importsOf(id)) found.add(imported)
  return found
}
