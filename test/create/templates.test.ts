import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TEMPLATE_NAMES, foldersOf } from '../../create/src/templates.js'

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

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('the templates of create-vue-chain', () => {
  it('are those that the command offers', () => {
    expect(readdirSync(TEMPLATES).sort()).toEqual(['_shared', ...TEMPLATE_NAMES].sort())
  })

  it('contain no file twice: what several have is in _shared', () => {
    const pathByText = new Map<string, string>()
    const repeated = filesIn(TEMPLATES).flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      const first = pathByText.get(text)
      pathByText.set(text, path)
      return first === undefined ? [] : [`${path} repeats ${first}`]
    })
    expect(repeated).toEqual([])
  })

  it('share what two of them have, or more', () => {
    for (const folder of readdirSync(join(TEMPLATES, '_shared')))
      expect(
        TEMPLATE_NAMES.filter((template) => foldersOf(template).includes(`_shared/${folder}`)).length,
        folder,
      ).toBeGreaterThan(1)
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

  it('leave no file to the rules of npm, which drops it from the package', () => {
    const dropped = /(^|\/)(\.gitignore|\.npmrc|package-lock\.json|node_modules)$/
    expect(filesIn(TEMPLATES).filter((path) => dropped.test(path))).toEqual([])
  })

  it.each(TEMPLATE_NAMES)('%s has its keys ignored by git', (template) => {
    const folder = foldersOf(template).find((each) => existsSync(join(TEMPLATES, each, '_gitignore')))
    const ignored = read(`create/templates/${folder}/_gitignore`).split('\n')
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

  it('name pages of the documentation that the package has', () => {
    const readmes = TEMPLATE_NAMES.map((template) => read(`create/templates/${template}/README.md`)).join('\n')
    const links = [...readmes.matchAll(/\]\(node_modules\/vue-chain\/([^)#]+)/g)].map(([, path]) => path ?? '')
    expect(links.length).toBeGreaterThan(TEMPLATE_NAMES.length)
    for (const path of links) expect(existsSync(join(ROOT, path)), path).toBe(true)
  })
})
