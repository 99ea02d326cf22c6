/**
 * The files of the built package. Each module that an app loads at once is a file of its own, in dist/modules, so that every
 * bundler leaves out what the app does not use: those that divide code into chunks decide by file, and a file of several
 * modules comes as a whole. Everything else (parts that are loaded later, devnode, commands) is joined into dist/chunks,
 * which keeps the number of files that Node opens small.
 */
import { extname, relative, sep } from 'node:path'

const FOLDER = 'modules/'

/** Rolldown's options of the output; `entries` are the entry points that apps import, `sources` is their folder. */
export const distLayout = (sources, entries) => ({
  chunkFileNames: ({ name }) => (name.startsWith(FOLDER) ? '[name].js' : 'chunks/[name]-[hash].js'),
  minifyInternalExports: false,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ debugName: 'modules', name: nameOfModule(sources, entries) }],
  },
})

/** Names the file of a module that is loaded at once; null for others, which Rolldown divides by who imports them. */
function nameOfModule(sources, entries) {
  let loadedAtOnce
  return (id, context) => {
    loadedAtOnce ??= importsOf(entries, context)
    if (!id.startsWith(sources + sep) || entries.includes(id) || !loadedAtOnce.has(id)) return null
    return FOLDER + relative(sources, id).slice(0, -extname(id).length).replaceAll(sep, '/')
  }
}

/** The modules that `entries` import statically, directly or not. */
function importsOf(entries, context) {
  const found = new Set(entries)
  for (const id of found) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
