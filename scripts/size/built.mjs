/**
 * Bundles the built package (dist) as apps do, by three bundlers: what they load at once, and what they contain of
 * development.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { bundle, measure } from './bundle.mjs'

const ROOT = resolve(import.meta.dirname, '../..')
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The file of dist of an entry point such as `vue-chain/streams`. */
export const builtFile = (entry) => join(ROOT, exports[entry.replace('vue-chain', '.')].default)

/** What is for development only: Vue DevTools, and the recorder unless an app imports it. */
const DEVELOPMENT = /\/dist\/((devtools|recorder)\.js$|modules\/engine\/recorder\/)/
const EXTERNAL = ['vue', 'rxjs', 'rxjs/*', '#sdk', '#sdk/*', 'node:*', 'ws']
const toPattern = (name) => new RegExp(`^${name.replace(/\/?\*$/, '.*')}$`)

const measureChunks = (output) => ({
  atOnce: measure(output).atOnce.gzip,
  development: sum(modulesOf(output), ([id, { renderedLength }]) => (DEVELOPMENT.test(id) ? renderedLength : 0)),
})
const modulesOf = (output) => output.flatMap(({ modules = {} }) => Object.entries(modules))
const sum = (items, sizeOf) => items.reduce((total, item) => total + sizeOf(item), 0)

/**
 * Bundlers by name. Each takes the code of an app and conditions besides its own; it resolves to the bytes loaded at
 * once (min + gzip) and to those of development in all chunks.
 */
export const BUNDLERS = {
  Vite: async (code, conditions) => {
    const defaults = ['module', 'browser', ...(conditions.length > 0 ? conditions : ['production'])]
    return measureChunks(await bundle(code, { conditions: defaults, sideEffects: true }))
  },

  Rolldown: async (code, conditionNames) => {
    const app = await rolldown({
      input: 'app',
      cwd: ROOT,
      external: EXTERNAL.map(toPattern),
      resolve: { conditionNames: ['import', ...conditionNames] },
      plugins: [
        { name: 'app', resolveId: (id) => (id === 'app' ? id : null), load: (id) => (id === 'app' ? code : null) },
      ],
    })
    const { output } = await app.generate({ minify: true })
    return measureChunks(output)
  },

  esbuild: async (contents, conditions) => {
    const { outputFiles, metafile } = await esbuild({
      stdin: { contents, resolveDir: ROOT },
      absWorkingDir: ROOT,
      tsconfigRaw: {}, // not the sources
      ...{ bundle: true, splitting: true, format: 'esm', minify: true, outdir: 'out', write: false, metafile: true },
      external: EXTERNAL,
      conditions: ['module', ...conditions],
      logLevel: 'error',
    })
    return measureChunks(toChunks(outputFiles, metafile))
  },
}

/** The output of esbuild in the shape of Rolldown's. */
const toChunks = (files, { outputs }) =>
  files.map(({ path, text }) => {
    const fileName = path.slice(ROOT.length + 1)
    const { entryPoint, imports, inputs } = outputs[fileName]
    const modules = Object.entries(inputs).map(([id, { bytesInOutput }]) => [
      `/${id}`,
      { renderedLength: bytesInOutput },
    ])
    return {
      type: 'chunk',
      fileName,
      code: text,
      isEntry: entryPoint === '<stdin>',
      imports: imports.filter(({ kind }) => kind === 'import-statement').map((imported) => imported.path),
      moduleIds: modules.map(([id]) => id),
      modules: Object.fromEntries(modules),
    }
  })
