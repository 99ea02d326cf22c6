import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** The tarball of the built library: the one that `npm test` packs for all its jobs, else one packed into `folder`. */
export function packLibrary(folder: string): string {
  if (process.env.VUE_CHAIN_TARBALL !== undefined) return process.env.VUE_CHAIN_TARBALL
  const args = ['pack', '--json', '--pack-destination', folder]
  const output = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const [packed] = JSON.parse(output) as { filename: string }[]
  return join(folder, packed!.filename)
}
