import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Build steps in order: a product, its sources and the command. */
const STEPS = [
  {
    what: 'the library',
    product: 'dist/devnode.js',
    sources: ['src', 'vite.config.ts', 'scripts/dist-layout.mjs', 'scripts/keep-workers.mjs', 'package.json'],
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'],
  },
  {
    what: 'the library for Node',
    product: 'dist/node/devnode.js',
    sources: ['src', 'vite.config.ts', 'scripts/dist-layout.mjs', 'scripts/keep-workers.mjs', 'package.json'],
    command: ['scripts/build-node.mjs'],
  },
  {
    what: 'styles and fake wallets',
    product: 'dist/fake-wallets.js',
    sources: ['src', 'scripts/build-assets.mjs', 'package.json'],
    command: ['scripts/build-assets.mjs'],
  },
  {
    what: 'the WASM SDK',
    product: 'dist/sdk/kaspa_bg.wasm',
    sources: ['scripts/build-sdk.mjs', 'scripts/sdk', 'package.json'],
    command: ['scripts/build-sdk.mjs'],
  },
  {
    what: 'the page',
    product: 'demo/dist/index.html',
    sources: [
      'demo/src',
      'demo/public',
      'demo/index.html',
      'demo/vite.config.ts',
      'dist/index.js',
      'dist/sdk/kaspa_bg.wasm',
    ],
    command: [
      'node_modules/vite/bin/vite.js',
      'build',
      'demo',
      '--config',
      'demo/vite.config.ts',
      '--logLevel',
      'warn',
    ],
  },
]

/**
 * Builds library, SDK and (unless `page` is false) page under `root`, each only where it is missing or older than its
 * sources.
 */
export async function buildIfStale(root, { page = true } = {}) {
  for (const { what, product, sources, command } of page ? STEPS : STEPS.slice(0, -1)) {
    if (
      !isStale(
        join(root, product),
        sources.map((source) => join(root, source)),
      )
    )
      continue
    console.log(`Building ${what} …`)
    const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) throw new Error(`Building ${what} failed.`)
  }
}

/** Whether a product is missing or older than one of its sources, files or folders. */
export const isStale = (product, sources) =>
  !existsSync(product) || Math.max(...sources.map(newest)) > statSync(product).mtimeMs

/** The newest modification time, in ms, at or under `path`; 0 where there is no file. */
function newest(path) {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}
