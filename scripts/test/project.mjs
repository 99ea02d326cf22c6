import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import { CORES } from './machine.mjs'
import { run } from './run.mjs'

/** How many lines of a failure are repeated in the summary: the expectation is at the beginning. */
const FIRST_LINES = 12
/**
 * Test files at a time. One of the packaging tests, because its builds use all cores, and its pages would wait for
 * them.
 */
const WORKERS = { unit: Math.min(CORES, 2), contract: Math.min(CORES, 2), e2e: Math.min(CORES, 2), packaging: 1 }
/** Tests above this are listed at the end of the run, in ms. */
const SLOW = 2_000

/**
 * Runs one vitest project: counts, reasons of failed tests, slow, retried and skipped tests; a run that crashes is one
 * failure. `log` is a file that has its output as it comes.
 */
export async function runProject(name, report, log) {
  // in a run of half an hour each file is shown when it ends
  const reporter = process.env.VUE_CHAIN_FULL === undefined ? 'dot' : 'default'
  const reporters = [`--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${report}`]
  const args = ['--no-install', 'vitest', 'run', '--project', name, `--maxWorkers=${WORKERS[name]}`, ...reporters]
  const { ok, last, output, computed } = await run('npx', args, { log })
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0, reason: last, output, computed }
  const results = JSON.parse(readFileSync(report, 'utf8'))
  const failures = results.testResults.flatMap(failuresOf)
  return {
    passed: results.numPassedTests,
    failed: failures.length === 0 && !ok ? 1 : failures.length,
    skipped: results.numPendingTests + results.numTodoTests,
    reason: failures.length > 0 ? failures.join('\n\n') : last,
    slowTests: results.testResults.flatMap(slowTestsOf),
    retriedTests: results.testResults.flatMap(retriedTestsOf),
    skippedTests: results.testResults.flatMap(skippedTestsOf),
    output,
    computed,
  }
}

const fileOf = ({ name }) => relative(process.cwd(), name)

function slowTestsOf(file) {
  return file.assertionResults
    .filter(({ duration }) => duration > SLOW)
    .map(({ fullName, duration }) => ({ seconds: duration / 1000, title: `${fileOf(file)} > ${fullName}` }))
}

/** The titles of skipped tests, which say what is missing. */
function skippedTestsOf(file) {
  const skipped = file.assertionResults.filter(({ status }) => status === 'skipped' || status === 'pending')
  return skipped.map(({ fullName }) => `${fileOf(file)} > ${fullName}`)
}

/** The tests of a file that passed on a retry, with the error of the first attempt. */
const retriedTestsOf = (file) => describeTests(file, 'passed')

/** The failed tests of a file, or the file itself if it failed to load or to set up. */
function failuresOf(file) {
  const tests = describeTests(file, 'failed')
  if (tests.length > 0) return tests
  return file.status === 'failed' ? [`${fileOf(file)}\n${firstLines(file.message)}`] : []
}

/** The tests of a file that have this status and an error, with their first error. */
const describeTests = (file, status) =>
  file.assertionResults
    .filter((test) => test.status === status && (status === 'failed' || test.failureMessages.length > 0))
    .map(({ fullName, failureMessages }) => `${fileOf(file)} > ${fullName}\n${firstLines(failureMessages[0])}`)

/**
 * The beginning of a failure's text, without stack frames of the test runner, and what test/setup/failures.ts adds to
 * it.
 */
function firstLines(text = '') {
  const lines = text
    .replace('STACK_TRACE_ERROR', 'Timed out') // vitest's stack of a timeout
    .trim()
    .split('\n')
    .filter((line) => !/^\s+at .*(node_modules|new Promise)/.test(line))
  const facts = lines.findIndex((line) => line.startsWith('── '))
  return [
    ...lines.slice(0, facts < 0 ? FIRST_LINES : Math.min(FIRST_LINES, facts)),
    ...(facts < 0 ? [] : lines.slice(facts)),
  ]
    .map((line) => `  ${line}`)
    .join('\n')
}
