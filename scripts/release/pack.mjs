import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryFields } from './repository.mjs'

/** Runs npm in a folder; returns what it prints. Scripts of packages do not run. */
export const npm = (args, cwd) =>
  execFileSync('npm', [...args, '--ignore-scripts', '--loglevel', 'error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32', // npm.cmd
  })

const pack = (folder, target) => JSON.parse(npm(['pack', '--json', '--pack-destination', target], folder))[0]

/**
 * Packs a package as it is published: with the fields of the repository, and a version where one is given. `directory`
 * is its folder in the repository, undefined for the root. Returns what npm says about the tarball, with its path and
 * SHA-512.
 */
export function packPackage({ root, directory, version, out }) {
  const source = directory === undefined ? root : join(root, directory)
  const { name } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const folder = join(out, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const raw = pack(source, out)
  execFileSync('tar', ['-xzf', join(out, raw.filename), '-C', folder, '--strip-components=1'])
  rmSync(join(out, raw.filename))
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const published = { ...manifest, ...(version === undefined ? {} : { version }), ...repositoryFields(directory) }
  delete published.devDependencies
  delete published.scripts
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  const packed = pack(folder, out)
  const tarball = join(out, packed.filename)
  const sha512 = createHash('sha512').update(readFileSync(tarball)).digest('hex')
  return { ...packed, manifest: published, tarball, sha512 }
}
