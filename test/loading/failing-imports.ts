import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCE = join(ROOT, 'src')

/** The library, bundled so that each import() of a part of it may fail. */
export interface FailingImports {
  /** Every import() of the library, by the module that it loads. */
  readonly sites: ReadonlySet<string>
  /** The parts that were refused, in order. */
  refused: string[]
  /** Whether a part cannot be fetched. */
  isMissing: (module: string) => boolean
  /** Bundles the exports of these files below src/, and imports them. */
  readonly load: (entries: readonly string[]) => Promise<object>
  /** Removes the bundle. */
  readonly remove: () => void
}

export function createFailingImports(): FailingImports {
  const sites = new Set<string>()
  const folders: string[] = []
  const imports: FailingImports = {
    sites,
    refused: [],
    isMissing: () => false,
    async load(entries) {
      mkdirSync(join(ROOT, '.cache'), { recursive: true })
      const folder = mkdtempSync(join(ROOT, '.cache/code-not-loaded-'))
      folders.push(folder)
      Object.assign(globalThis, { __load: importUnlessMissing })
      const bundle = await rolldown({
        input: { all: 'all' },
        external: (id) => /^(#|node:|[a-z@])/.test(id) && !id.startsWith(SOURCE) && id !== 'all',
        plugins: [toEntry(entries), importsFail(sites)],
      })
      await bundle.write({ dir: folder, format: 'esm' })
      return (await import(pathToFileURL(join(folder, 'all.js')).href)) as object
    },
    remove() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
      Reflect.deleteProperty(globalThis, '__load')
    },
  }
  async function importUnlessMissing(module: string, importModule: () => Promise<unknown>): Promise<unknown> {
    if (!imports.isMissing(module)) return importModule()
    imports.refused.push(module)
    throw new TypeError(`Failed to fetch dynamically imported module: https://app.example/assets/${module}`)
  }
  return imports
}

const toEntry = (entries: readonly string[]): Plugin => ({
  name: 'entry',
  resolveId: (id) => (id === 'all' ? '\0all' : undefined),
  load: (id) =>
    id === '\0all' ? entries.map((path) => `export * from '${join(SOURCE, path)}.ts'`).join('\n') : undefined,
})

const importsFail = (sites: Set<string>): Plugin => ({
  name: 'imports-fail',
  transform(code, id) {
    if (!id.startsWith(SOURCE)) return undefined
    return code.replaceAll(/(?<!typeof )\bimport\('(\.[^']+\.js|#sdk)'\)/g, (expression, path: string) => {
      const module = path.startsWith('#') ? path : relative(SOURCE, join(dirname(id), path)).replace(/\.js$/, '')
      sites.add(module)
      return `globalThis.__load('${module}', () => ${expression})`
    })
  },
})
