import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
/** Inside the project, so that the examples find its packages. */
const WORKPLACE = join(ROOT, '.cache/docs')

/** An example of a page, ready to be compiled. */
interface Example {
  readonly page: string
  readonly file: string
  readonly code: string
}

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) => `docs/${path}`),
]

/** Every ts and vue block of a page. A block of its own is a module of its own. */
function examplesOf(page: string): Example[] {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(ts|vue)\n([\s\S]*?)^```/gm)
  const name = page.replace(/\.md$/, '').replaceAll('/', '-')
  return [...blocks].map(([, language = '', code = ''], index) => ({
    page,
    file: `${name}-${index + 1}.${language}`,
    code: language === 'ts' ? `${code}\nexport {}\n` : code,
  }))
}

const examples = pages.filter((page) => page.endsWith('.md') && !page.startsWith('docs/api/')).flatMap(examplesOf)

/** What the compiler says, a line each. */
let complaints: string[]

beforeAll(() => {
  rmSync(WORKPLACE, { recursive: true, force: true })
  mkdirSync(WORKPLACE, { recursive: true })
  for (const { file, code } of examples) writeFileSync(join(WORKPLACE, file), code)
  const source = (entry: string): string[] => [join(ROOT, 'src', entry, 'index.ts')]
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      rootDir: ROOT,
      types: ['node', 'vite/client'], // the latter for style sheets
      noUnusedLocals: false, // an example may show more than it uses
      noUncheckedIndexedAccess: false, // and is written for what projects usually have switched on
      paths: {
        'vue-chain': source(''),
        'vue-chain/streams': source('streams'),
        'vue-chain/devnode': source('devnode'),
        'vue-chain/testing': source('testing'),
      },
    },
    vueCompilerOptions: { strictTemplates: true },
    include: ['*'],
  }
  writeFileSync(join(WORKPLACE, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(ROOT, 'node_modules/vue-tsc/bin/vue-tsc.js')
  const { stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', WORKPLACE], {
    cwd: WORKPLACE,
    encoding: 'utf8',
  })
  complaints = stdout.split('\n').filter((line) => line.includes('error TS'))
}, 180_000)

it('finds examples on every page of the guide', () => {
  const composables = pages.filter((page) => /^docs\/composables\/\w+\.md$/.test(page))
  expect(composables.filter((page) => !examples.some((example) => example.page === page))).toEqual([])
})

it.each(examples)('compiles $file', ({ file }) => {
  expect(complaints.filter((line) => line.startsWith(`${file}(`))).toEqual([])
})
