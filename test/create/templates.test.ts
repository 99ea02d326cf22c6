import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TEMPLATE_NAMES } from '../../create/src/templates.js'

const ROOT = join(import.meta.dirname, '../..')
const TEMPLATES = join(ROOT, 'create/templates')

interface Manifest {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const manifest = (folder: string): Manifest => JSON.parse(read(join(folder, 'package.json'))) as Manifest

describe('the templates of create-vue-chain', () => {
  it('are those that the command offers', () => {
    expect(readdirSync(TEMPLATES).sort()).toEqual([...TEMPLATE_NAMES].sort())
  })

  it.each(TEMPLATE_NAMES)('%s has the scripts that the next steps name, and caret ranges', (template) => {
    const { scripts, dependencies, devDependencies } = manifest(`create/templates/${template}`)
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['dev', 'build', 'test', 'typecheck']))
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(range, name).toMatch(/^\^\d+\.\d+\.\d+$/)
  })

  it.each(TEMPLATE_NAMES)('%s depends on this version of the library', (template) => {
    expect(manifest('create').version).toBe(manifest('.').version)
    expect(manifest(`create/templates/${template}`).dependencies['vue-chain']).toBe(`^${manifest('.').version}`)
  })

  it.each(TEMPLATE_NAMES)('%s leaves no file to the rules of npm, which drops it from the package', (template) => {
    const names = readdirSync(join(TEMPLATES, template), { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => /(^|\/)(\.gitignore|\.npmrc|package-lock\.json|node_modules)$/.test(name))).toEqual(
      [],
    )
  })

  it.each(TEMPLATE_NAMES)('%s has its keys ignored by git', (template) => {
    const ignored = read(`create/templates/${template}/_gitignore`).split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['node_modules', '.env', '.env.*', '*.key', '*.mnemonic']))
  })

  it('contain no key and no mnemonic', () => {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'create/templates'], { cwd: ROOT })
    for (const path of files
      .toString()
      .trim()
      .split('\n')
      .filter((file) => existsSync(join(ROOT, file))))
      expect(read(path), path).not.toMatch(/\b[0-9a-f]{64}\b|abandon/)
  })

  it.each([
    ['devnode.ts', ['vue', 'vanilla']],
    ['src/style.css', ['vue', 'vanilla']],
    ['tsconfig.json', ['vue', 'vanilla']],
    ['_gitignore', ['vue', 'vanilla']],
    ['public/favicon.svg', ['vue', 'vanilla', 'nuxt']],
  ])('share %s', (path, templates) => {
    const [first, ...others] = templates.map((template) => read(`create/templates/${template}/${path}`))
    for (const other of others) expect(other).toBe(first)
  })

  it.each([
    ['src/components/AddressBalance.vue', 'app/components/AddressBalance.vue'],
    ['src/components/ConnectionState.vue', 'app/components/ConnectionState.vue'],
    ['src/style.css', 'app/assets/style.css'],
    ['src/use-pay.ts', 'app/composables/usePay.ts'],
  ])('share %s with Nuxt', (vue, nuxt) => {
    expect(read(`create/templates/nuxt/${nuxt}`)).toBe(read(`create/templates/vue/${vue}`))
  })

  it('name pages of the documentation that the package has', () => {
    const readmes = TEMPLATE_NAMES.map((template) => read(`create/templates/${template}/README.md`)).join('\n')
    const links = [...readmes.matchAll(/\]\(node_modules\/vue-chain\/([^)#]+)/g)].map(([, path]) => path ?? '')
    expect(links.length).toBeGreaterThan(TEMPLATE_NAMES.length)
    for (const path of links) expect(existsSync(join(ROOT, path)), path).toBe(true)
  })
})
