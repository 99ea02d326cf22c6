import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import lockfile from '../../package-lock.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly hasInstallScript?: boolean
}

const locked = lockfile.packages as Readonly<Record<string, LockedPackage>>

/** Packages that npm installs with these: their dependencies and required peers, directly or not. */
function installedWith(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names.filter((candidate) => !found.has(candidate))) {
    found.add(name)
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = locked[`node_modules/${name}`] ?? {}
    const peers = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true)
    installedWith([...Object.keys(dependencies), ...peers], found)
  }
  return found
}

describe('the installed dependencies', () => {
  const installed = installedWith(Object.keys(manifest.dependencies))

  it('do not include Vue, which is an optional peer', () => {
    expect([...installed].filter((name) => /^@?vue/.test(name))).toEqual([])
    expect(manifest.peerDependenciesMeta.vue.optional).toBe(true)
  })

  it('run no install script', () => {
    expect([...installed].filter((name) => locked[`node_modules/${name}`]?.hasInstallScript === true)).toEqual([])
  })

  it('are exact where they touch keys, and caret ranges elsewhere', () => {
    for (const [name, range] of Object.entries(manifest.dependencies))
      expect(`${name} ${range}`).toMatch(/^@(noble|scure)\//.test(name) ? /^\S+ \d/ : /^\S+ \^\d/)
  })

  it('come without registry addresses in the lockfile', () => {
    expect(JSON.stringify(lockfile)).not.toMatch(/"resolved":"https?:/)
  })
})

describe('the lockfiles of the fixture apps', () => {
  const apps = resolve(import.meta.dirname, '../packaging/apps')
  const fixtures = readdirSync(apps).filter((app) => existsSync(join(apps, app, 'package.json')))

  it.each(fixtures)('contain neither a registry address nor a hash of the library, and its dependencies: %s', (app) => {
    const text = readFileSync(join(apps, app, 'package-lock.json'), 'utf8')
    expect(text).not.toMatch(/"resolved": "https?:/)
    const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage & { integrity?: string }> }
    const library = packages['node_modules/vue-chain']
    // else by others than npm
    const isInstalled = readFileSync(join(apps, app, 'package.json'), 'utf8').includes('"vue-chain":')
    expect(library?.integrity).toBeUndefined()
    expect(library?.dependencies).toEqual(isInstalled ? manifest.dependencies : undefined)
  })
})
