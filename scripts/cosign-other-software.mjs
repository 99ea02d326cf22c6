/**
 * `node scripts/cosign-other-software.mjs`: payments of 2-of-3 where one signature is made by npm kaspa-wasm32-sdk
 * 0.15.2, or by PyPI kaspa 2.1.0: every pair of cosigners, in both orders, finalized here and accepted by devnode.
 * Installs both below .cache on its first run; skips one by name where it cannot be fetched. Exits with 1 where a
 * payment fails.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withBundle } from './bundle.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const CACHE = join(ROOT, '.cache', 'other-cosigners')
const SIGNERS = join(ROOT, 'test/cosigning/signers')
const PYTHON = join(CACHE, 'python/bin/python')

const run = (command, ...args) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })

const COSIGNERS = [
  {
    name: 'npm kaspa-wasm32-sdk 0.15.2',
    path: join(CACHE, 'node_modules/kaspa-wasm32-sdk'),
    install: () => run('npm', 'install', '--ignore-scripts', '--no-save', '--prefix', CACHE, 'kaspa-wasm32-sdk@0.15.2'),
    command: [process.execPath, join(SIGNERS, 'npm.mjs')],
    env: { SDK_FOLDER: CACHE },
  },
  {
    name: 'PyPI kaspa 2.1.0',
    path: join(CACHE, 'python/installed'),
    install() {
      run('python3', '-m', 'venv', join(CACHE, 'python'))
      run(PYTHON, '-m', 'pip', 'install', '--only-binary', ':all:', 'kaspa==2.1.0')
      mkdirSync(join(CACHE, 'python/installed'))
    },
    command: [PYTHON, join(SIGNERS, 'pypi.py')],
    env: {},
  },
]

/** Why a package cannot be installed; undefined where it is. */
function install({ path, install }) {
  if (existsSync(path)) return undefined
  try {
    mkdirSync(CACHE, { recursive: true })
    install()
    return undefined
  } catch (error) {
    return String(error.message).split('\n', 1)[0]
  }
}

await withBundle({ signers: 'test/cosigning/other-signers.ts' }, async (folder) => {
  const { payWithOther } = await import(pathToFileURL(join(folder, 'signers.js')).href)
  for (const cosigner of COSIGNERS) {
    const reason = install(cosigner)
    if (reason !== undefined) {
      console.log(`${cosigner.name}: skipped, it cannot be installed: ${reason}`)
      continue
    }
    const { paid, accepted } = await payWithOther(cosigner.command, cosigner.env)
    console.log(`${cosigner.name}: ${accepted} of ${paid} payments accepted`)
    if (accepted < paid) process.exitCode = 1
  }
})
