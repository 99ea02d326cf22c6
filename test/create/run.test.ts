import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HELP } from '../../create/src/flags.js'
import type { Prompts } from '../../create/src/prompts.js'
import { run, type Context } from '../../create/src/run.js'
import { TEMPLATE_NAMES, type TemplateName } from '../../create/src/templates.js'

const TEMPLATES = join(import.meta.dirname, '../../create/templates')

let cwd: string
let printed: string[]
let errors: string[]

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'create-vue-chain-'))
  printed = []
  errors = []
})
afterEach(() => rmSync(cwd, { recursive: true }))

const create = (args: readonly string[], context: Partial<Context> = {}): Promise<number> =>
  run(args, {
    cwd,
    templates: TEMPLATES,
    userAgent: undefined,
    prompts: undefined,
    print: (text) => void printed.push(text),
    printError: (text) => void errors.push(text),
    ...context,
  })

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
const read = (path: string): string => readFileSync(join(cwd, path), 'utf8')
const manifestOf = (app: string) => JSON.parse(read(`${app}/package.json`)) as Record<string, Record<string, string>>

/** A terminal with a user: `null` is Ctrl-C. Records the problems of refused input. */
function entering(folders: readonly string[] | null, template: string | null): Prompts & { refused: string[] } {
  const refused: string[] = []
  return {
    refused,
    intro: () => undefined,
    text: ({ validate }) => {
      for (const folder of folders ?? []) {
        const problem = validate(folder)
        if (problem === undefined) return Promise.resolve(folder)
        refused.push(problem)
      }
      return Promise.resolve(Symbol('Ctrl-C'))
    },
    select: ({ options }) =>
      Promise.resolve(options.find(({ value }) => value === template)?.value ?? Symbol('Ctrl-C')),
  }
}

/** The folders of a template, and where an app has its sources. */
const LAYOUTS: Readonly<Record<TemplateName, { folders: readonly string[]; sources: string }>> = {
  vue: { folders: ['_shared/page', '_shared/vite', '_shared/vue', 'vue'], sources: 'src' },
  nuxt: { folders: ['_shared/page', '_shared/vue', 'nuxt'], sources: 'app' },
  service: { folders: ['_shared/server', 'service'], sources: 'src' },
  shop: { folders: ['_shared/page', '_shared/server', 'shop'], sources: 'src' },
  vanilla: { folders: ['_shared/page', '_shared/vite', 'vanilla'], sources: 'src' },
}

describe.each(TEMPLATE_NAMES)('create-vue-chain --template %s', (template) => {
  const { folders, sources } = LAYOUTS[template]
  const expected = folders.flatMap((folder) =>
    filesIn(join(TEMPLATES, folder)).map((path) => ({
      path: path.replace('_gitignore', '.gitignore').replace('_sources', sources),
      text: readFileSync(join(TEMPLATES, folder, path), 'utf8').replaceAll('../_sources', `../${sources}`),
    })),
  )

  it('writes its own files and the shared ones, with the name of the app in place of the placeholder', async () => {
    expect(await create(['my-app', '--template', template])).toBe(0)
    const files = filesIn(join(cwd, 'my-app'))
    expect(files).toEqual(expected.map(({ path }) => path).sort())
    expect(files).toContain('.gitignore')
    for (const path of files) {
      expect(path).not.toContain('_sources')
      expect(read(`my-app/${path}`), path).not.toMatch(/%\w+%|_sources/)
    }
    expect(read('my-app/README.md')).toContain('# my-app\n')
    expect(manifestOf('my-app').name).toBe('my-app')
  })

  it('changes nothing but the name, and the folder of the sources', async () => {
    await create(['my-app', '--template', template])
    for (const { path, text } of expected) {
      const written = read(`my-app/${path}`)
      if (path !== 'package.json') expect(written, path).toBe(text.replaceAll('%APP_NAME%', 'my-app'))
      else expect(JSON.parse(written)).toEqual({ ...(JSON.parse(text) as object), name: 'my-app' })
    }
  })

  it('writes no relative import of a missing file', async () => {
    await create(['my-app', '--template', template])
    const app = join(cwd, 'my-app')
    const imports = filesIn(app).flatMap((path) =>
      [...read(`my-app/${path}`).matchAll(/(?:from|import) '(\.[^'?]+)/g)].map(([, to = '']) =>
        join(app, path, '..', to.replace(/\.js$/, '')),
      ),
    )
    expect(imports.length).toBeGreaterThan(0)
    const endings = ['', '.ts', '/index.ts']
    expect(imports.filter((path) => !endings.some((ending) => existsSync(path + ending)))).toEqual([])
  })
})

describe('create-vue-chain', () => {
  it('takes the package from --vue-chain: a version as it is, a path relative to the app', async () => {
    writeFileSync(join(cwd, 'packed.tgz'), '')
    await create(['one', '-t', 'vue', '--vue-chain', 'next'])
    await create(['deep/two', '-t', 'service', '--vue-chain', 'file:packed.tgz'])
    expect(manifestOf('one').dependencies?.['vue-chain']).toBe('next')
    expect(manifestOf('deep/two').dependencies?.['vue-chain']).toBe('file:../../packed.tgz')
  })

  it('writes into the current folder, which has the name of the app', async () => {
    const folder = join(cwd, 'here')
    mkdirSync(join(folder, '.git'), { recursive: true }) // a repository without files counts as empty
    expect(await create(['.', '-t', 'vanilla'], { cwd: folder })).toBe(0)
    expect(manifestOf('here').name).toBe('here')
    expect(printed.join('\n')).not.toContain('cd ')
  })

  it('prints the next steps for the package manager that has called it', async () => {
    const stepsOf = async (userAgent: string | undefined, folder: string): Promise<string> => {
      printed = []
      await create([folder, '--yes'], { userAgent })
      return printed.join('\n').replace(/ {2,}/g, ' ')
    }
    expect(await stepsOf('npm/11.6.0 node/v24.0.0 linux x64', 'a')).toMatch(
      /cd a\n npm install\n npm run dev .*\n npm test /,
    )
    expect(await stepsOf('pnpm/10.1.0 npm/? node/v24.0.0', 'b')).toMatch(
      /cd b\n pnpm install\n pnpm dev .*\n pnpm test /,
    )
    expect(await stepsOf('yarn/4.9.0 npm/? node/v24.0.0', 'c')).toMatch(/cd c\n yarn\n yarn dev .*\n yarn test /)
    expect(await stepsOf('bun/1.3.0 npm/? node/v24.0.0', 'd')).toMatch(
      /cd d\n bun install\n bun run dev .*\n bun run test /,
    )
    expect(await stepsOf(undefined, 'e')).toContain('npm install')
  })

  it('takes the defaults with --yes', async () => {
    expect(await create(['--yes'])).toBe(0)
    expect(manifestOf('vue-chain-app').devDependencies).toHaveProperty('vue-tsc')
  })

  it('prints its help', async () => {
    expect(await create(['--help'])).toBe(0)
    expect(printed).toEqual([HELP])
    expect(readdirSync(cwd)).toEqual([])
  })

  it('prompts for what is not given, and again after an impossible input', async () => {
    mkdirSync(join(cwd, 'full'))
    writeFileSync(join(cwd, 'full/file'), '')
    const prompts = entering(['full', 'My App', 'my-app'], 'service')
    expect(await create([], { prompts })).toBe(0)
    expect(prompts.refused).toEqual([
      `The folder ${join(cwd, 'full')} is not empty.`,
      '"My App" is no name of a package: use lower-case letters, digits, ".", "-" and "_", for example my-app.',
    ])
    expect(manifestOf('my-app').dependencies).toHaveProperty('pg')
  })

  it('does not prompt where the command line says all', async () => {
    const prompts = entering(null, null)
    expect(await create(['app', '--template', 'vue'], { prompts })).toBe(0)
  })

  it.each([
    ['the folder', entering(null, 'vue')],
    ['the template', entering(['app'], null)],
  ])('ends with 130 and without a file after Ctrl-C at %s', async (_question, prompts) => {
    expect(await create([], { prompts })).toBe(130)
    expect(errors).toEqual(['Aborted: nothing was written.'])
    expect(readdirSync(cwd)).toEqual([])
  })
})

describe('create-vue-chain refuses', () => {
  const refused = async (args: readonly string[], code: number, message: string): Promise<void> => {
    expect(await create(args)).toBe(code)
    expect(errors.join('\n')).toContain(message)
    expect(existsSync(join(cwd, 'app/package.json'))).toBe(false)
  }

  it('a folder with files, and leaves them alone', async () => {
    mkdirSync(join(cwd, 'app'))
    writeFileSync(join(cwd, 'app/README.md'), 'mine')
    await refused(['app', '-t', 'vue'], 1, 'is not empty')
    expect(read('app/README.md')).toBe('mine')
  })

  it('a file in place of the folder', async () => {
    writeFileSync(join(cwd, 'app'), '')
    await refused(['app', '-t', 'vue'], 1, `${join(cwd, 'app')} is a file.`)
  })

  it('an invalid name, and that of a dependency, before it writes', async () => {
    await refused(['My App', '-t', 'vue'], 1, 'for example my-app')
    await refused(['rxjs', '-t', 'vue'], 1, '"rxjs" is the name of another package.')
    expect(readdirSync(cwd)).toEqual([])
  })

  it('a path without a package', async () => {
    await refused(['app', '-t', 'vue', '--vue-chain', 'file:missing.tgz'], 1, 'There is no package at')
    expect(readdirSync(cwd)).toEqual([])
  })

  it('to guess without a terminal', async () => {
    await refused(['app'], 2, 'Without a terminal, give a folder and --template NAME, or --yes.')
  })
})
