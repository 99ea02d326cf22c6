import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIXTURES, FOLDER } from './folder.js'
import { run } from './process.js'

/** Files that the fixtures of web pages and services share. */
const SHARED = join(FIXTURES, 'shared')

/**
 * Copies a fixture app to its folder and installs its packages, the library from the packed tarball. Packages are
 * downloaded when their lockfile has changed; install scripts never run. Resolves to the folder; rejects where a
 * package is not to be had.
 */
export async function installFixture(name: string, tarball: string): Promise<string> {
  const folder = join(FOLDER, name)
  mkdirSync(folder, { recursive: true })
  cpSync(SHARED, folder, { recursive: true })
  cpSync(join(FIXTURES, name), folder, { recursive: true })
  copyFileSync(tarball, join(folder, 'vue-chain.tgz'))
  if (isInstalled(folder)) await replaceLibrary(folder)
  else await download(folder)
  return folder
}

const stampOf = (folder: string): string => join(folder, 'node_modules/.installed')
const hashOf = (folder: string): string =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')

const isInstalled = (folder: string): boolean =>
  existsSync(stampOf(folder)) && readFileSync(stampOf(folder), 'utf8') === hashOf(folder)

/**
 * Not `npm ci`, which fails where a registry lacks a package for another platform. The lockfile's versions and hashes
 * apply.
 */
async function download(folder: string): Promise<void> {
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  await run('npm', [...args, '--prefer-offline'], { cwd: folder })
  writeFileSync(stampOf(folder), hashOf(folder))
}

/** What toolchains keep of a library until a lockfile changes. */
const CACHES = ['node_modules/.vite', 'node_modules/.cache', '.parcel-cache']

/** As `npm ci` does for the one package that differs. */
async function replaceLibrary(folder: string): Promise<void> {
  const target = join(folder, 'node_modules/vue-chain')
  for (const stale of [target, ...CACHES.map((name) => join(folder, name))])
    rmSync(stale, { recursive: true, force: true })
  mkdirSync(target)
  await run('tar', ['-xzf', 'vue-chain.tgz', '-C', target, '--strip-components=1'], { cwd: folder })
}
