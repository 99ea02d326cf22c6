import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What Nuxt's DevTools import on the first page, as seen from the app. */
const OF_DEVTOOLS = [
  ['nuxt', '@nuxt/devtools', '@vue/devtools-core'],
  ['nuxt', '@nuxt/devtools', '@vue/devtools-kit'],
] as const

/**
 * The packages that Vite bundles before the first page. A package that it finds only then makes it bundle all of them
 * again: the parts of this library that the page loads meanwhile are absent then, and fail with 504 "Outdated Optimize
 * Dep".
 */
export const dependenciesOf = (root: string, sdk: 'wasm' | 'light' | undefined): readonly string[] => [
  'vue-chain',
  'vue-chain/streams',
  ...(sdk === 'light' ? ['vue-chain/light'] : []),
  'rxjs',
  ...OF_DEVTOOLS.filter((path) => isInstalled(root, path)).map((path) => path.join(' > ')),
]

/** Whether a package is installed, seen from the packages before it. */
function isInstalled(root: string, path: readonly string[]): boolean {
  let folder: string | undefined = root
  for (const name of path) folder = folder === undefined ? undefined : findPackage(folder, name)
  return folder !== undefined
}

function findPackage(from: string, name: string): string | undefined {
  const folders = createRequire(join(from, 'index.js')).resolve.paths(name) ?? []
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder))
  return found === undefined ? undefined : realpathSync(found)
}

/**
 * Whether Nuxt imports an export of `vue-chain` by itself: composables, and the functions that templates use, which
 * convert amounts (`sompiToKaspa`) and check values (`isValidAddress`).
 */
export const isAutoImported = (name: string): boolean => /^(?:use[A-Z]|is[A-Z]|sompiTo|kaspaTo)/.test(name)
