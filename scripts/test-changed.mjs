/**
 * `npm run test:changed [-- BASE]`: types, lint and unit tests of what differs from a commit (HEAD by default), for
 * daily work. A changed module under src/ runs the tests of the same folder under test/; a changed test runs itself.
 * After a change of documentation its examples are compiled.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { run } from './test/run.mjs'

const base = process.argv[2] ?? 'HEAD'
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

const changed = [...git('diff', '--name-only', '--diff-filter=d', base), ...git('ls-files', '-o', '--exclude-standard')]
const code = changed.filter((path) => /\.(ts|mjs|vue)$/.test(path) && !path.startsWith('test/fixtures/'))

/** The unit tests of a changed file: itself, or the folder of test/ that mirrors its folder. */
function testsOf(path) {
  if (/^test\/(e2e\/|packaging\/|site\/|contract\/(node|rest)\/|(docs|packed)\.test)/.test(path)) return []
  if (path.endsWith('.test.ts')) return [path]
  const folder = dirname(path).replace(/^src/, 'test')
  return folder.startsWith('test/') && existsSync(folder) ? [folder] : []
}

const typed = code.filter((path) => path.endsWith('.ts'))
const hasExamples = changed.some((path) => /^(README|docs\/.*)\.md$/.test(path))
const tests = [...new Set(code.flatMap(testsOf))]
const steps = [
  ['types', ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', '.cache/types.json']],
  ...(code.length > 0 ? [['lint', ['eslint', '--cache', '--cache-location', '.cache/eslint', ...code]]] : []),
  ...(typed.length > 0 ? [['lint with types', ['oxlint', '--type-aware', ...typed]]] : []),
  ...(hasExamples ? [['examples', ['vitest', 'run', '--project', 'contract', 'test/docs.test.ts']]] : []),
  ...(tests.length > 0 ? [['unit tests', ['vitest', 'run', '--project', 'unit', ...tests]]] : []),
]

/** The steps run side by side; each prints its output when it ends. */
async function runStep([name, args]) {
  const { ok, output } = await run('npx', ['--no-install', ...args])
  console.log(`── ${name}: ${ok ? 'passed' : 'failed'}\n${output}`)
  if (!ok) process.exitCode = 1
}

await Promise.all(steps.map(runStep))
console.log(`${changed.length} changed files, tests of: ${tests.join(', ') || 'none'}`)
