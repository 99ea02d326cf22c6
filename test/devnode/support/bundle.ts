import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '../../..')

/** A source file built for Node as in the package, with dependencies external. */
export interface Bundle {
  readonly path: string
  remove(): void
}

export async function bundle(entry: string): Promise<Bundle> {
  const folder = mkdtempSync(join(ROOT, 'node_modules/.devnode-'))
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'silent',
    build: {
      outDir: folder,
      target: 'es2022',
      minify: false,
      lib: { entry: { bundle: entry }, formats: ['es'] },
      rolldownOptions: {
        external: [/^(ws|node:|@noble|@scure)/],
        output: { entryFileNames: 'bundle.mjs' },
      },
    },
  })
  return { path: join(folder, 'bundle.mjs'), remove: () => rmSync(folder, { recursive: true }) }
}
