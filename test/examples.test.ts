import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NOT_RUNNABLE, RUNNABLE, withRunnable } from '../docs/.vitepress/reference/runnable.js'
import { EXAMPLE_ACTIONS } from '../docs/.vitepress/theme/live/examples.js'
import manifest from '../package.json' with { type: 'json' }

const EXAMPLES = resolve(import.meta.dirname, '../examples')
const names = readdirSync(EXAMPLES)

interface Manifest {
  readonly private: boolean
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

const read = (...path: readonly string[]): string => readFileSync(join(EXAMPLES, ...path), 'utf8')
const manifestOf = (name: string): Manifest => JSON.parse(read(name, 'package.json')) as Manifest
const programsOf = (name: string): string[] => readdirSync(join(EXAMPLES, name)).filter((file) => file.endsWith('.js'))

/** Programs, and the files of a page. */
const sourcesOf = (name: string): string[] =>
  readdirSync(join(EXAMPLES, name), { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|vue)$/.test(file))

/** What the files of an example import; a relative import is the path of its file. */
const importsOf = (name: string): string[] =>
  sourcesOf(name).flatMap((file) =>
    Array.from(read(name, file).matchAll(/(?:from |import |import\()'([^']+)'/g), ([, specifier = '']) =>
      specifier.startsWith('.') ? `./${join(dirname(file), specifier)}` : specifier,
    ),
  )

/** Peers of vue-chain that its parts load by themselves: the queue of payouts opens either database. */
const LOADED = ['rxjs', '@electric-sql/pglite', 'pg']

describe.each(names)('examples/%s, a project that runs alone', (name) => {
  it('imports its own files, Node and the packages that it names', () => {
    const imported = importsOf(name)
    const foreign = imported.filter((specifier) => !specifier.startsWith('./'))
    const packages = foreign.filter((specifier) => !builtinModules.includes(specifier.replace(/^node:/, '')))
    const nameOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''
    const { dependencies } = manifestOf(name)
    expect(packages.map(nameOf).filter((one) => !Object.hasOwn(dependencies, one))).toEqual([])
    const unused = Object.keys(dependencies).filter((one) => !packages.map(nameOf).includes(one))
    expect(unused.filter((one) => !LOADED.includes(one))).toEqual([])
    const files = imported.filter((specifier) => specifier.startsWith('.')).map((path) => path.replace('./', ''))
    expect(files.filter((file) => !existsSync(join(EXAMPLES, name, file)))).toEqual([])
  })

  it('names exact versions: of vue-chain this one, of packages those that are tested', () => {
    const tested: Readonly<Record<string, string>> = { ...manifest.devDependencies, 'vue-chain': manifest.version }
    const { dependencies } = manifestOf(name)
    expect(Object.entries(dependencies).filter(([one, version]) => version !== tested[one])).toEqual([])
  })

  it('is private, starts by npm start, and says so', () => {
    const { private: isPrivate, scripts } = manifestOf(name)
    expect(isPrivate).toBe(true)
    expect(programsOf(name).map((file) => `node ${file}`)).toContain(scripts.start)
    expect(read(name, 'README.md')).toContain('\nnpm install && npm start')
  })
})

it('has one text of each file that several examples have', () => {
  const texts = new Map<string, Set<string>>()
  const isShared = (file: string): boolean => !['main.js', 'try.js'].includes(file)
  for (const [name, file] of names.flatMap((one) => programsOf(one).map((program) => [one, program] as const)))
    if (isShared(file)) texts.set(file, (texts.get(file) ?? new Set()).add(read(name, file)))
  expect(texts.size).toBeGreaterThan(3)
  expect([...texts].filter(([, versions]) => versions.size > 1).map(([file]) => file)).toEqual([])
})

describe('the pages of the documentation', () => {
  const docs = resolve(EXAMPLES, '../docs')
  const pages = ['', 'recipes/', 'composables/', 'components/'].flatMap((folder) =>
    readdirSync(join(docs, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}${file.replace(/\.md$/, '')}`),
  )
  /** Pages that run their example by themselves, with a link to the playground. */
  const live = Object.keys(EXAMPLE_ACTIONS)
  const isLive = (page: string): boolean => live.includes(page.replace(/^(composables|components)\//, ''))

  it('run in the page, in the playground, as an example or as an app of a template, or are listed', () => {
    const others = pages.filter((page) => !isLive(page) && !NOT_RUNNABLE.includes(page))
    expect(others).toHaveLength(new Set(others).size)
    expect(others.sort()).toEqual(Object.keys(RUNNABLE).sort())
  })

  it('name programs of the playground, examples and templates that exist', () => {
    const programs = readFileSync(join(docs, '.vitepress/theme/playground/programs.ts'), 'utf8')
    const isProgram = (program: string): boolean => live.includes(program) || programs.includes(`'${program}'`)
    const isTemplate = (template: string): boolean => existsSync(resolve(docs, '../create/templates', template))
    const wrong = Object.entries(RUNNABLE).filter(
      ([, { playground, example, template }]) =>
        (playground !== undefined && !isProgram(playground)) ||
        (example !== undefined && !names.includes(example)) ||
        (template !== undefined && !isTemplate(template)),
    )
    expect(wrong).toEqual([])
  })

  it('show it after their first paragraph', () => {
    const text = (page: string): string => readFileSync(join(docs, `${page}.md`), 'utf8')
    expect(withRunnable('# Title\n\nFirst.\n\nSecond.\n', 'nuxt')).toBe(
      '# Title\n\nFirst.\n\n**Run it**: as an app: `npm create vue-chain@latest app -- --template nuxt`.\n\nSecond.\n',
    )
    expect(Object.keys(RUNNABLE).filter((page) => !withRunnable(text(page), page).includes('**Run it**'))).toEqual([])
  })
})
