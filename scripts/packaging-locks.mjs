/**
 * `node scripts/packaging-locks.mjs [NAME…]`: writes the lockfiles of the fixture apps in test/packaging/apps again, by
 * default of all, after the dependencies of the library or of a fixture have changed. The library is packed from dist.
 * No registry address and no hash of the library gets into a lockfile.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'

const ROOT = resolve(import.meta.dirname, '..')
const FIXTURES = join(ROOT, 'test/packaging/apps')

const isFixture = (name) => existsSync(join(FIXTURES, name, 'package.json'))
const run = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

function writeLock(name, tarball) {
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-lock-'))
  for (const file of ['package.json', 'package-lock.json'].filter((file) => existsSync(join(FIXTURES, name, file))))
    cpSync(join(FIXTURES, name, file), join(folder, file))
  cpSync(tarball, join(folder, 'vue-chain.tgz'))
  cpSync(join(ROOT, '.npmrc'), join(folder, '.npmrc'))
  run(['install', '--package-lock-only', '--ignore-scripts'], folder)
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  delete lock.packages['node_modules/vue-chain']?.integrity // another one with every build
  writeFileSync(join(FIXTURES, name, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  rmSync(folder, { recursive: true })
  console.log(`${name}: ${Object.keys(lock.packages).length - 1} packages`)
}

const given = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'vue-chain-pack-'))
const [{ filename }] = JSON.parse(run(['pack', '--json', '--pack-destination', folder], ROOT))
for (const name of given.length > 0 ? given : readdirSync(FIXTURES).filter(isFixture))
  writeLock(name, join(folder, filename))
rmSync(folder, { recursive: true })
