import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inject } from 'vitest'
import { run } from './process.js'

const FIXTURES = resolve(import.meta.dirname, '../apps')
const CACHE = resolve(import.meta.dirname, '../../../.cache/packaging')

/** Files that the fixtures of web pages share. */
const SHARED = join(FIXTURES, 'shared')

/**
 * Copies a fixture app into the cache and installs its packages, the library from the packed tarball. Packages are downloaded
 * when their lockfile has changed; install scripts never run. Resolves to the folder of the copy.
 */
export async function installFixture(name: string): Promise<string> {
  const folder = join(CACHE, name)
  mkdirSync(folder, { recursive: true })
  cpSync(join(FIXTURES, name), folder, { recursive: true })
  if (existsSync(SHARED)) cpSync(SHARED, folder, { recursive: true })
  copyFileSync(inject('tarball'), join(folder, 'vue-chain.tgz'))
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

async function download(folder: string): Promise<void> {
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'], { cwd: folder }).catch(
    (cause: unknown) => {
      throw new Error(`The packages of ${folder} could not be installed: is the package registry reachable?`, { cause })
    },
  )
  writeFileSync(stampOf(folder), hashOf(folder))
}

/** As `npm ci` does for the one package that differs. */
async function replaceLibrary(folder: string): Promise<void> {
  const target = join(folder, 'node_modules/vue-chain')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  await run('tar', ['-xzf', 'vue-chain.tgz', '-C', target, '--strip-components=1'], { cwd: folder })
}
