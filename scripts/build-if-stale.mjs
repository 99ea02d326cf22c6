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
    product: 'dist/node/streams.js',
    sources: ['dist/streams.js', 'scripts/build-node.mjs', 'scripts/dist-layout.mjs', 'package.json'],
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
    what: 'the compiled declarations',
    part: 'types',
    product: '.cache/types/index.d.ts',
    sources: ['src', 'tsconfig.json', 'tsconfig.build.json'],
    command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  },
  {
    what: 'the declarations', // which each build of the library removes
    part: 'types',
    product: 'dist/types/index.d.ts',
    sources: ['src', '.cache/types/index.d.ts', 'scripts/roll-up-types.mjs', 'package.json'],
    command: ['scripts/roll-up-types.mjs'],
  },
  {
    what: 'the page',
    part: 'page',
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
 * Builds library, SDK, the page (unless `page` is false) and the declarations (if `types` is true) under `root`, each
 * only where it is missing or older than its sources.
 */
export async function buildIfStale(root, { page = true, types = false } = {}) {
  const parts = { page, types }
  for (const { what, part, product, sources, command } of STEPS) {
    if (
      parts[part] === false ||
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
