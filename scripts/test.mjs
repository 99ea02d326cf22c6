/**
 * `npm test`: builds once and runs checks and tests side by side, and ends in one line that counts them all:
 * `N passed, N failed` (`, N skipped` where any was). Each check counts as one. Failures are repeated right before that
 * line, after the tests that took longer than 2 s and those that passed on a retry. What a job writes is in
 * `test-results/JOB.log` as it comes. `-- --full` adds more cases.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { CHROMIUM } from './test/chromium.mjs'
import { CAPACITY, jobsOf, TARBALL } from './test/jobs.mjs'
import { describeMachine, watchMachine } from './test/machine.mjs'
import { runProject } from './test/project.mjs'
import { run } from './test/run.mjs'
import { schedule } from './test/schedule.mjs'

const RESULTS = 'test-results'

const { values } = parseArgs({ options: { full: { type: 'boolean', default: false } } })
if (values.full) process.env.VUE_CHAIN_FULL = '1' // read by the property tests: more cases
process.env.VUE_CHAIN_TARBALL = resolve(TARBALL) // read by the tests of the packed library
process.env.VUE_CHAIN_RETRY ??= '1' // read by vite.config.ts; 0: nothing is retried

rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS)
const total = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const slow = []
const retried = []
const skipped = []

function record(
  { name },
  { passed, failed, skipped: count, reason, slowTests = [], retriedTests = [], skippedTests = [] },
) {
  total.passed += passed
  total.failed += failed
  total.skipped += count
  slow.push(...slowTests)
  retried.push(...retriedTests)
  skipped.push(...skippedTests)
  if (failed > 0) failures.push({ name, reason })
}

async function runJob(job) {
  console.log(`── ${job.name}: started`)
  const started = Date.now()
  const { output, computed, ...result } = await (job.project === undefined
    ? runCheck(job.command, logOf(job))
    : runTests(job.project, logOf(job)))
  const work = computed === undefined ? '' : `, ${Math.round(computed)} s of processor time`
  console.log(
    `\n── ${job.name}: ${Math.round((Date.now() - started) / 1000)} s${work}; ${describeMachine()}\n${output}`,
  )
  record(job, result)
  return result.failed === 0
}

/**
 * The environment of checks, where the machine's sets nothing else. Compilers and linters make much that lives shortly:
 * less of it is copied in a young generation of 64 MB. The checker of types of the linter, written in Go, collects only
 * where it has 4 GB, and in one thread derives each type once.
 */
const FOR_CHECKS = { NODE_OPTIONS: '--max-semi-space-size=64', GOGC: 'off', GOMEMLIMIT: '4GiB', GOMAXPROCS: '1' }

async function runCheck([command, args], log) {
  const { ok, output, last, computed } = await run(command, args, { defaults: FOR_CHECKS, log })
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, reason: last, output, computed }
}

function runTests(project, log) {
  if (project !== 'e2e' || existsSync(CHROMIUM)) return runProject(project, `${RESULTS}/${project}.json`, log)
  const reason = `Chromium is missing at ${CHROMIUM}: install it (Debian: apt-get install chromium) or set CHROMIUM to its path.`
  return { passed: 0, failed: 1, skipped: 0, reason, output: reason }
}

/** `test-results/unit-tests.log` of `unit tests`. */
const logOf = ({ name }) => `${RESULTS}/${name.replaceAll(/[^a-z]+/g, '-').replace(/-$/, '')}.log`

const started = Date.now()
const machine = watchMachine()
for (const { name } of await schedule(jobsOf(values.full), CAPACITY, runJob))
  record({ name }, { passed: 0, failed: 1, skipped: 0, reason: 'not run, because a job that it needs failed' })

if (slow.length > 0) console.log('\n── tests that took longer than 2 s')
for (const { seconds, title } of slow.sort((a, b) => b.seconds - a.seconds))
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${title}`)
if (retried.length > 0) console.log('\n── passed on a retry, each with its first error')
for (const test of retried) console.log(test)
if (skipped.length > 0) console.log('\n── skipped')
for (const test of skipped) console.log(test)
for (const { name, reason } of failures) console.log(`\n── ${name} failed:\n${reason}`)
if (failures.length > 0) console.log(`\nfailed: ${failures.map(({ name }) => name).join(', ')}`)
console.log(`\n${Math.round((Date.now() - started) / 1000)} s in all; ${machine.end()}`)
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed > 0 ? 1 : 0
