import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** Installs the packages of a folder with a lockfile of its own, where they are missing or older than the lockfile. */
export function installPackages(folder) {
  const installed = join(folder, 'node_modules/.package-lock.json')
  const isCurrent =
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
  if (isCurrent) return
  const args = ['ci', '--ignore-scripts', '--no-fund', '--no-audit']
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
