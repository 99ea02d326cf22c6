import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '..')

/** Calls `use` with the folder of a bundle, which is removed after it. */
export async function withBundle(entries, use, plugins) {
  const { folder, remove } = await bundle(entries, plugins)
  try {
    return await use(folder)
  } finally {
    remove()
  }
}

/**
 * Bundles TypeScript entries, `{ name: path }`, for Node, packages external, into a folder of one `NAME.js` each, until
 * `remove` is called. The folder is outside node_modules, where the package's imports (`#sdk`) would not resolve.
 * `plugins` are those of Vite.
 */
export async function bundle(entries, plugins = []) {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, '.cache', 'bundle-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    await build({
      root: ROOT,
      configFile: false,
      logLevel: 'error',
      plugins,
      build: {
        ssr: true,
        outDir: folder,
        target: 'node20',
        minify: false,
        rolldownOptions: {
          input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(ROOT, path)])),
          external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('\0'),
        },
      },
    })
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}
