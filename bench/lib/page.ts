import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '..', '..')

/** A production build of a page in its own folder. */
export interface BundledPage {
  readonly folder: string
  remove(): void
}

/** Builds a minified page that runs `code`, with constants to `define`. */
export async function bundlePage(code: string, define: Readonly<Record<string, string>> = {}): Promise<BundledPage> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, '.cache/page-'))
  writeFileSync(join(folder, 'main.js'), code)
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><link rel="icon" href="data:," /><div id="app"></div><script type="module" src="./main.js"></script>',
  )
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define,
    worker: { format: 'es' },
    build: { target: 'es2022', outDir: 'out', assetsInlineLimit: 0 },
  })
  return { folder: join(folder, 'out'), remove: () => rmSync(folder, { recursive: true }) }
}
