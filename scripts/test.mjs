/**
 * `npm test`: everything. Builds, checks the code and the package, runs every test, and ends in one line that counts
 * them all: `N passed, N failed` (`, N skipped` where any was). Each check counts as one. What failed is told again
 * right before that line, so that whoever reads the last page knows why.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { runProject } from './test/project.mjs'
import { run } from './test/run.mjs'

const RESULTS = 'test-results'
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Checks in the order in which a failure says most. */
const CHECKS = [
  ['build', 'npm', ['run', '--silent', 'build']],
  ['types', 'npm', ['run', '--silent', 'typecheck']],
  ['lint', 'npm', ['run', '--silent', 'lint']],
  ['dead code', 'npx', ['--no-install', 'knip']],
  ['package (publint)', 'npx', ['--no-install', 'publint', '--strict']],
  [
    'package (types)',
    'npx',
    [
      '--no-install',
      'attw',
      '--pack',
      '.',
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      './kaspa_bg.wasm',
      './fake-wallets.js',
      './style.css',
      './package.json',
    ],
  ],
  ['size', 'npm', ['run', '--silent', 'size']],
]
const PROJECTS = ['unit', 'contract', 'e2e']

/** What takes a process of its own and says in one line how it went, after the tests. */
const ORDEALS = [
  ['chaos', 'npm', ['run', '--silent', 'test:chaos']],
  ['leaks', 'npm', ['run', '--silent', 'test:leaks']],
]

rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS)
const total = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const count = (name, { passed, failed, skipped, why }) => {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  if (failed > 0) failures.push({ name, why })
}

const runChecks = async (checks) => {
  for (const [name, command, args] of checks) {
    console.log(`\n── ${name}`)
    const { ok, last } = await run(command, args)
    count(name, { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, why: last })
  }
}

await runChecks(CHECKS)
for (const name of PROJECTS) {
  console.log(`\n── ${name} tests`)
  if (name === 'e2e' && !existsSync(CHROMIUM)) {
    const why = `Chromium is missing at ${CHROMIUM}: install it (Debian: apt-get install chromium) or set CHROMIUM to its path.`
    count(name, { passed: 0, failed: 1, skipped: 0, why })
  } else count(name, await runProject(name, `${RESULTS}/${name}.json`))
}
await runChecks(ORDEALS)
for (const { name, why } of failures) console.log(`\n── why ${name} failed\n${why}`)
if (failures.length > 0) console.log(`\nfailed: ${failures.map(({ name }) => name).join(', ')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed > 0 ? 1 : 0
