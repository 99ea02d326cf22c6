/**
 * `npm run test:packaging [-- NAME…]`: runs the fixture apps of test/packaging, as `create` the templates of create/,
 * as `examples` the projects of examples/, and as `npx` the command in an empty folder, by default all, each installed
 * from the packed library. Writes what was seen to work as a table into docs/bundlers.md; rows of fixtures that did not
 * run stay. Needs `npm run build` before it, and the package registry.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'

const ROOT = resolve(import.meta.dirname, '..')
const PAGE = join(ROOT, 'docs/bundlers.md')
const REPORT = join(ROOT, 'test-results/packaging.json')
const [BEGIN, END] = ['<!-- results of npm run test:packaging -->', '<!-- end of the results -->']

/** The fixture and the package of a group of tests, whose version the table shows. */
const TOOLS = {
  'Vite 8': ['vite8', 'vite'],
  'Vite 7': ['vite7', 'vite'],
  'Vite 7 in a pnpm workspace': ['pnpm-workspace/workspace/page', 'vite'],
  'Vite 6': ['vite6', 'vite'],
  esbuild: ['esbuild', 'esbuild'],
  'webpack 5': ['webpack', 'webpack'],
  'Rspack 2': ['rspack', '@rspack/core'],
  'Rollup 4': ['rollup', 'rollup'],
  'Parcel 2': ['parcel', 'parcel'],
  'Vue without a bundler': ['vite8', 'vue'], // a style sheet by a link, the library by an import map
  'Nuxt 4': ['nuxt', 'nuxt'],
  'Nuxt 3.15': ['nuxt3', 'nuxt'],
  'Nuxt 4.5': ['nuxt4.5', 'nuxt'],
  'Quasar 2 (Vite)': ['quasar', 'quasar'],
  'Pages in Chromium': ['pages', 'vite'],
  'Extension (Manifest V3)': ['extension', 'esbuild'],
  'Vue 3.5.0': ['hydration', 'vue-3.5.0'],
  'Vue, the newest': ['hydration', 'vue'],
  Bun: ['bun', 'bun'],
  Deno: ['deno', 'deno'],
  'npm 10': ['managers', 'npm'],
  'pnpm 10': ['managers', 'pnpm'],
  'Yarn 4, node_modules': ['managers', '@yarnpkg/cli-dist'],
  'Yarn 4, PnP': ['managers', '@yarnpkg/cli-dist'],
}
for (const release of ['20.19', '22', '24', '26']) {
  for (const kind of ['ES module', 'CommonJS']) TOOLS[`Node ${release}, ${kind}`] = ['node-versions', `node-${release}`]
}

for (const release of ['5.7', '5.9', '6', '7']) {
  TOOLS[`TypeScript ${release} with the newest Vue`] = ['types', `typescript-${release}`]
  TOOLS[`TypeScript ${release} with Vue 3.5.0`] = ['vue-3.5.0', `typescript-${release}`]
}

function versionOf(title) {
  if (!(title in TOOLS)) return process.versions.node
  const [app, name] = TOOLS[title]
  return JSON.parse(readFileSync(join(ROOT, 'test/packaging/apps', app, 'package.json'), 'utf8')).dependencies[
    name
  ].replace(/^npm:.*@/, '')
}

/** Groups of tests that are about no tool: the templates of create/, the examples, and the command. */
const OTHERS = ['create-vue-chain', 'examples, alone in an empty folder', 'npx vue-chain feed']

const isOfTool = ({ status, ancestorTitles }) => status === 'passed' && !OTHERS.includes(ancestorTitles[0])

/** What a test says; after a colon stands the case. */
const withoutCase = (title) => title.split(': ', 1)[0]

/** The tests that passed, by group; one of several cases only if all of them did. */
function readResults() {
  const results = new Map(Object.keys(TOOLS).map((title) => [title, []]))
  const tests = JSON.parse(readFileSync(REPORT, 'utf8')).testResults.flatMap(({ assertionResults }) => assertionResults)
  const toolOf = ({ ancestorTitles }) => ancestorTitles[0].replaceAll("'", '') // vitest quotes the titles of a table
  const keyOf = (test) => `${toolOf(test)}/${withoutCase(test.title)}`
  const failed = new Set(tests.filter(({ status }) => status === 'failed').map(keyOf))
  for (const test of tests.filter(isOfTool).filter((one) => !failed.has(keyOf(one)))) {
    const tool = toolOf(test)
    results.set(tool, [...new Set([...(results.get(tool) ?? []), withoutCase(test.title)])])
  }
  return [...results].filter(([, titles]) => titles.length > 0)
}

/** The rows of a table by tool. */
const readRows = (table) => {
  const [, , ...rows] = table.split('\n').filter((line) => line.startsWith('|')) // after its head
  return rows.map((row) => [row.split('|')[1].trim(), row])
}

const given = process.argv.slice(2)
mkdirSync(join(ROOT, 'test-results'), { recursive: true })
const args = ['run', '--project', 'packaging', '--maxWorkers=2', '--reporter=default', '--reporter=json']
if (given.length > 0) args.push('--passWithNoTests') // files of which no fixture was named
const { status } = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args, `--outputFile.json=${REPORT}`],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, VUE_CHAIN_PACKAGING: given.join() || 'all' } },
)
process.exitCode = status ?? 1

const page = readFileSync(PAGE, 'utf8')
const [before, after] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
const rows = new Map([
  ...Object.keys(TOOLS).map((tool) => [tool, undefined]), // in this order
  ...(given.length > 0 ? readRows(page.slice(before, after)) : []),
  ...readResults().map(([title, titles]) => [title, `| ${title} | ${versionOf(title)} | ${titles.join('; ')} |`]),
])
const head = ['| tool | version | what was seen to work |', '| --- | --- | --- |']
const table = [...head, ...[...rows.values()].filter((row) => row !== undefined)].join('\n')
writeFileSync(PAGE, `${page.slice(0, before)}\n\n${table}\n\n${page.slice(after)}`)
execFileSync(process.execPath, [join(ROOT, 'node_modules/oxfmt/bin/oxfmt'), PAGE], { cwd: ROOT })
