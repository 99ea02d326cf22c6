import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import { run } from './run.mjs'

/** How much of a failure is told again: what was expected stands at its beginning. */
const FIRST_LINES = 12

/** Runs one vitest project and counts its tests, with the failed ones in words; a run that dies is one failure. */
export async function runProject(name, report) {
  const { ok, last } = await run('npx', [
    '--no-install',
    'vitest',
    'run',
    '--project',
    name,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0, why: last }
  const results = JSON.parse(readFileSync(report, 'utf8'))
  const failures = results.testResults.flatMap(failuresOf)
  return {
    passed: results.numPassedTests,
    failed: failures.length === 0 && !ok ? 1 : failures.length,
    skipped: results.numPendingTests + results.numTodoTests,
    why: failures.length > 0 ? failures.join('\n\n') : last,
  }
}

/** The failures of a file: its failed tests, or the file itself where it could not be read or prepared. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name)
  const tests = assertionResults.filter((test) => test.status === 'failed')
  if (tests.length > 0)
    return tests.map(({ fullName, failureMessages }) => `${file} > ${fullName}\n${firstLines(failureMessages[0])}`)
  return status === 'failed' ? [`${file}\n${firstLines(message)}`] : []
}

/** The beginning of a failure's text, without the way through the test runner. */
function firstLines(text = '') {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => !/^\s+at .*(node_modules|new Promise)/.test(line))
  return lines
    .slice(0, FIRST_LINES)
    .map((line) => `  ${line}`)
    .join('\n')
}
