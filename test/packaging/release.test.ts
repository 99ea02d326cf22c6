import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './support/folder.js'
import { run } from './support/process.js'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

interface Manifest {
  readonly name: string
  readonly version: string
  readonly repository: { readonly url: string; readonly directory?: string }
  readonly homepage: string
  readonly bugs: { readonly url: string }
  readonly publishConfig: unknown
}

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, '.cache/release', name, 'package.json'), 'utf8')) as Manifest

describe('npm run release', () => {
  it('packs both packages with one version, tries them in an empty folder and prints what it would publish', async () => {
    const output = await run('node', ['scripts/release.mjs', '--dry-run', '--no-build'], { cwd: ROOT })
    for (const name of ['vue-chain', 'create-vue-chain']) {
      expect(output).toContain(`${name}@${version}, tag latest, access public, with provenance`)
      const { repository, homepage, bugs, ...manifest } = manifestOf(name)
      expect(manifest).toMatchObject({ name, version, publishConfig: { access: 'public', provenance: true } })
      expect(repository.url).toMatch(/^git\+https:\/\/github\.com\/[^/]+\/vue-chain\.git$/)
      const home = repository.url.slice('git+'.length, -'.git'.length)
      expect([homepage, bugs.url]).toEqual([`${home}#readme`, `${home}/issues`])
    }
    expect(manifestOf('create-vue-chain').repository.directory).toBe('create')
    expect(output).toMatch(/In an empty folder: \d+ entries imported, a payment received, an app created\./)
    expect(output).toContain('Dry run: nothing was published.')
    const bill = JSON.parse(readFileSync(join(ROOT, '.cache/release/sbom.cdx.json'), 'utf8')) as {
      readonly bomFormat: string
      readonly components: readonly { readonly name: string }[]
    }
    expect(bill.bomFormat).toBe('CycloneDX')
    const names = bill.components.map(({ name }) => name)
    expect(names).toContain('@noble/curves')
    expect(names).not.toContain('vitest')
  })
})
