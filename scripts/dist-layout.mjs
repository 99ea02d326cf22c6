/**
 * The files of the built package. Each module that an app loads at once is a file of its own, in dist/modules, so that
 * every bundler leaves out what the app does not use: those that divide code into chunks decide by file, and a file of
 * several modules comes as a whole. Everything else (parts that are loaded later, devnode, commands) is joined into
 * dist/chunks, which keeps the number of files that Node opens small.
 */
import { extname, join, relative, sep } from 'node:path'

const FOLDER = 'modules/'

/** Docstrings are in the declarations; bundlers need annotations. */
const COMMENTS = { legal: true, annotation: true, jsdoc: false }

/** Rolldown's options of the output; `entries` are the entry points that apps import, `sources` is their folder. */
export const distLayout = (sources, entries) => ({
  chunkFileNames: ({ name }) => (name.startsWith(FOLDER) ? '[name].js' : 'chunks/[name]-[hash].js'),
  minifyInternalExports: false,
  comments: COMMENTS,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { debugName: 'modules', name: nameOfModule(sources, entries) },
      { debugName: 'test kit', name: nameOfTestKit(sources) },
      { debugName: 'work of payouts', name: nameOfPayoutWork(sources) },
    ],
  },
})

/** What is loaded at once, with the names of its files in dist/node. */
const ENTRIES_FOR_NODE = {
  light: 'light/index.ts',
  core: 'engine/index.ts',
  rest: 'rest/index.ts',
  contracts: 'contracts/index.ts',
  streams: 'streams/index.ts',
  vue: 'index.ts',
  connection: 'engine/node-connection.ts',
}

/**
 * Rolldown's options of the output in dist/node: the modules that the same entries load at once are one file, such as
 * chunks/streams-vue.js, and so are those of a connection. `sources` is the folder of the entries.
 */
export const nodeLayout = (sources) => ({
  chunkFileNames: 'chunks/[name]-[hash].js',
  minifyInternalExports: false,
  comments: COMMENTS,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { debugName: 'by entries', name: nameByEntries(sources) },
      { debugName: 'test kit', name: nameOfTestKit(sources) },
      { debugName: 'tables', name: nameByFolder(sources, 'sql') },
      { debugName: 'payouts', name: nameOfPayouts(sources) },
      { debugName: 'work of payouts', name: nameOfPayoutWork(sources) },
      { debugName: 'domain types', name: nameByFolder(sources, 'model') },
    ],
  },
})

/**
 * Names a module by the entries that load it at once, for which connections count too; null where none does. The file
 * `vue` needs Vue, which services do not install: only adapters are in it.
 */
function nameByEntries(sources) {
  const entries = Object.entries(ENTRIES_FOR_NODE).map(([name, file]) => [name, join(sources, file)])
  let loadedAtOnce
  return (id, context) => {
    loadedAtOnce ??= entries.map(([name, file]) => [name, importsOf([file], context)])
    if (entries.some(([, file]) => file === id)) return null
    const names = loadedAtOnce.filter(([, modules]) => modules.has(id)).map(([name]) => name)
    if (names.length === 0) return null
    const name = joined(names)
    return name === 'vue' && id.startsWith(sources + sep) && !id.includes(`${sep}adapters${sep}`) ? 'shared' : name
  }
}

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

/** Names one file for the modules of a folder. */
const nameByFolder = (sources, folder) => (id) => (id.startsWith(join(sources, folder) + sep) ? folder : null)

/**
 * The name of the file of modules that these entries load. What `light` shares needs no other package, so that it is
 * one file; those that load the core load RxJS.
 */
function joined(names) {
  if (names.includes('light') && names.length > 1) return 'light-shared'
  if (names.join() === 'core,vue') return 'core-streams-vue'
  return names.filter((one) => one !== 'connection' || !names.includes('streams')).join('-')
}

/**
 * Names the file of a module that is loaded at once; null for others, which Rolldown divides by who imports them. What
 * only contracts load is one file: apps use all of it.
 */
function nameOfModule(sources, entries) {
  const others = entries.filter((entry) => entry !== join(sources, 'contracts/index.ts'))
  let loadedAtOnce
  let loadedByOthers
  return (id, context) => {
    loadedAtOnce ??= importsOf(entries, context)
    loadedByOthers ??= importsOf(others, context)
    if (!id.startsWith(sources + sep) || entries.includes(id) || !loadedAtOnce.has(id)) return null
    if (!loadedByOthers.has(id)) return `${FOLDER}contracts`
    return FOLDER + relative(sources, id).slice(0, -extname(id).length).replaceAll(sep, '/')
  }
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

/**
 * Likewise for the other modules that `vue-chain/payouts` loads at once: the code of payments, loaded later, imports
 * them.
 */
function nameOfPayouts(sources) {
  const entry = join(sources, 'payouts/index.ts')
  let loadedAtOnce
  return (id, context) => {
    loadedAtOnce ??= importsOf([entry], context)
    return id.startsWith(sources + sep) && id !== entry && loadedAtOnce.has(id) ? 'payout-queue' : null
  }
}

/** The modules that `entries` import statically, directly or not. */
function importsOf(entries, context) {
  const found = new Set(entries)
  for (const id of found) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
