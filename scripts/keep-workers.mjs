import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * A Vite plugin for the build of the package: leaves `new Worker(new URL('./sign-worker.js', import.meta.url), …)` and
 * that of the shared worker as they are, so that the bundler of an app recognises them. Vite would replace each by a
 * file of its own, and mark it as not to be touched. The shared worker becomes one file without imports, which apps
 * without a bundler can serve as it is: import maps do not reach workers.
 */

const WORKERS = [
  {
    opener: '/sdk/light/open-worker.ts',
    expression: "new Worker(new URL('./sign-worker.js', import.meta.url), { type: 'module' })",
    placeholder: '__VUE_CHAIN_OPEN_SIGN_WORKER__()',
  },
  {
    opener: '/shared-connection/open-shared-worker.ts',
    expression: "new SharedWorker(new URL('./shared-worker.js', import.meta.url), { type: 'module' })",
    placeholder: '__VUE_CHAIN_OPEN_SHARED_WORKER__()',
  },
]

export const keepWorkers = () => {
  const unseen = new Set(WORKERS)
  return {
    name: 'keep-workers',
    apply: (_, { command }) => command === 'build',
    enforce: 'pre',
    transform(code, id) {
      const worker = WORKERS.find(({ opener }) => id.endsWith(opener))
      if (worker === undefined) return undefined
      unseen.delete(worker)
      const { expression, placeholder } = worker
      if (!code.includes(expression)) throw new Error(`${id} does not contain: ${expression}`)
      return { code: code.replace(expression, placeholder), map: null }
    },
    renderChunk: (code) => {
      const kept = WORKERS.filter(({ placeholder }) => code.includes(placeholder))
      if (kept.length === 0) return undefined
      const replaced = kept.reduce((text, { placeholder, expression }) => text.replace(placeholder, expression), code)
      return { code: replaced, map: null }
    },
    async generateBundle() {
      for (const { opener } of unseen) throw new Error(`No module ends with ${opener}, which opens a worker`)
      this.emitFile({ type: 'asset', fileName: 'chunks/shared-worker.js', source: await bundleSharedWorker() })
    },
  }
}

/** The code of the shared worker, with RxJS and both encodings: esbuild adds no helper for what is imported later. */
export async function bundleSharedWorker() {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/engine/shared-connection/shared-worker.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minify: true,
    conditions: ['es2015', 'import', 'browser'], // RxJS without helpers for older engines
    legalComments: 'none',
  })
  return outputFiles[0].text
}
