import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { isValidAddress } from '../src/model/address.js'
import { isStale } from '../scripts/build-if-stale.mjs'

const ROOT = resolve(import.meta.dirname, '..')
/** Inside the project, so that the examples resolve its packages. */
const OUTPUT = join(ROOT, '.cache/docs')

/** Whether the built declarations are those of the sources: they are compiled in half the time. */
const BUILT = !isStale(join(ROOT, 'dist/types/index.d.ts'), [join(ROOT, 'src')])

/** A code example of a page. */
interface Example {
  readonly page: string
  readonly file: string
  readonly code: string
}

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) => `docs/${path}`),
]

/** Every ts and vue block of a page, each as its own module. */
function examplesOf(page: string): Example[] {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(ts|vue)\n([\s\S]*?)^```/gm)
  const name = page.replace(/\.md$/, '').replaceAll('/', '-')
  return [...blocks].map(([, language = '', code = ''], index) => ({
    page,
    file: `${name}-${index + 1}.${language}`,
    code: language === 'ts' ? `${code}\nexport {}\n` : code,
  }))
}

const examples = pages
  .filter((page) => page.endsWith('.md') && !/^docs\/(api|node_modules|\.vitepress)\//.test(page))
  .flatMap(examplesOf)

/** Compiler errors, one per line. */
let compilerErrors: string[]

beforeAll(() => {
  rmSync(OUTPUT, { recursive: true, force: true })
  mkdirSync(OUTPUT, { recursive: true })
  for (const { file, code } of examples) writeFileSync(join(OUTPUT, file), code)
  // what `vue-chain contract` writes
  for (const name of ['counter', 'token20'])
    copyFileSync(join(ROOT, `test/fixtures/contracts/modules/${name}.ts`), join(OUTPUT, `${name}.contract.ts`))
  const source = (entry: string): string[] => [
    BUILT ? join(ROOT, 'dist/types', entry, 'index.d.ts') : join(ROOT, 'src', entry, 'index.ts'),
  ]
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      rootDir: ROOT,
      types: ['node', 'vite/client'], // vite/client declares style sheets
      noUnusedLocals: false, // examples may declare unused variables
      noUncheckedIndexedAccess: false, // off in most projects
      paths: {
        'vue-chain': source(''),
        'vue-chain/streams': source('streams'),
        'vue-chain/light': source('light'),
        'vue-chain/ledger': source('ledger'),
        'vue-chain/rest': source('rest'),
        'vue-chain/contracts': source('contracts'),
        'vue-chain/contracts/vue': source('adapters/vue/contracts'),
        'vue-chain/cosigning': source('cosigning'),
        'vue-chain/cosigning/vue': source('adapters/vue/cosigning'),
        'vue-chain/requests': source('adapters/vue/requests'),
        'vue-chain/core': source('engine'),
        'vue-chain/devnode': source('devnode'),
        'vue-chain/devnode/memory': source('devnode/memory'),
        'vue-chain/testing': source('testing'),
        'vue-chain/testing/vue': source('adapters/vue/testing'),
        'vue-chain/nuxt/server': [
          join(ROOT, BUILT ? 'dist/types' : 'src', `adapters/nuxt/runtime/server${BUILT ? '.d.ts' : '.ts'}`),
        ],
        'vue-chain/feed': source('feed'),
        'vue-chain/feed/consumer': source('feed/consumer'),
        'vue-chain/feed/webhook': source('feed/webhook'),
        'vue-chain/payouts': source('payouts'),
        'vue-chain/x402': source('x402'),
      },
    },
    vueCompilerOptions: { strictTemplates: true },
    include: ['*'],
  }
  writeFileSync(join(OUTPUT, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(ROOT, 'node_modules/vue-tsc/bin/vue-tsc.js')
  const { stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', OUTPUT], {
    cwd: OUTPUT,
    encoding: 'utf8',
  })
  compilerErrors = stdout.split('\n').filter((line) => line.includes('error TS'))
})

it('finds examples on every page of a composable', () => {
  const composables = pages.filter((page) => /^docs\/composables\/\w+\.md$/.test(page))
  expect(composables.filter((page) => !examples.some((example) => example.page === page))).toEqual([])
})

it('shows only addresses with a right checksum, so that an example runs as it stands', () => {
  const addresses = examples.flatMap(({ file, code }) =>
    Array.from(code.matchAll(/\bkaspa(?:test|sim|dev)?:[a-z0-9]{50,}/g), ([address]) => `${file} ${address}`),
  )
  expect(addresses.length).toBeGreaterThan(0)
  expect(addresses.filter((one) => !isValidAddress(one.split(' ')[1] ?? ''))).toEqual([])
})

it.each(examples)('compiles $file', ({ file }) => {
  expect(compilerErrors.filter((line) => line.startsWith(`${file}(`))).toEqual([])
})
