/**
 * `npm test`: everything. Builds, checks the code and the package, runs every test, and ends in one line that counts
 * them all: `N passed, N failed` (`, N skipped` where any was). Each check counts as one.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'

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

/** Runs a command with its output shown; true when it succeeds. */
function run(command, args) {
  return new Promise((resolve) => {
    spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
      .on('error', () => resolve(false))
      .on('exit', (code) => resolve(code === 0))
  })
}

/** Runs one vitest project and counts its tests; a run that dies without a report is one failure. */
async function runProject(name) {
  const file = `${RESULTS}/${name}.json`
  const ok = await run('npx', [
    '--no-install',
    'vitest',
    'run',
    '--project',
    name,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const failed =
    report.numFailedTests +
    report.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS)
const total = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const count = (name, { passed, failed, skipped }) => {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  if (failed > 0) failures.push(name)
}

const runChecks = async (checks) => {
  for (const [name, command, args] of checks) {
    console.log(`\n── ${name}`)
    const ok = await run(command, args)
    count(name, { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
  }
}

await runChecks(CHECKS)
for (const name of PROJECTS) {
  console.log(`\n── ${name} tests`)
  if (name === 'e2e' && !existsSync(CHROMIUM)) {
    console.log(
      `Chromium is missing at ${CHROMIUM}: install it (Debian: apt-get install chromium) or set CHROMIUM to its path.`,
    )
    count(name, { passed: 0, failed: 1, skipped: 0 })
  } else count(name, await runProject(name))
}
await runChecks(ORDEALS)
if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed > 0 ? 1 : 0
