import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * Bundles TypeScript entries, `{ name: path }`, for Node, packages external, and calls `use` with the folder, which has
 * one `NAME.js` each. The folder is outside node_modules, where the package's imports (`#sdk`) would not resolve.
 * `plugins` are those of Vite.
 */
export async function withBundle(entries, use, plugins = []) {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, '.cache', 'bundle-'))
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
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
