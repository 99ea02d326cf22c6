import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly failureMessages: readonly string[] }[]
  }[]
}

it('adds the machine, the events of the pages and the output of programs to a failed test, and to no other', () => {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/setup/failing/vitest.config.ts']
  const { status, stdout } = spawnSync(process.execPath, [...args, '--reporter=json'], { cwd: ROOT, encoding: 'utf8' })
  expect(status).toBe(1)
  const { testResults } = JSON.parse(stdout) as Report
  const [passed, failed] = testResults.flatMap(({ assertionResults }) => assertionResults)
  expect(passed).toMatchObject({ title: 'passes', failureMessages: [] })
  const [message = ''] = failed?.failureMessages ?? []
  expect(message).toMatch(
    /expected 1 to be 2[^]+── the machine, pages and programs\nload [\d.]+ on \d+ cores, .+ GB free\n/,
  )
  expect(message).toMatch(/ s ago {2}parsed http:\/\/failing\/$/m)
  expect(message).toMatch(/last event of http:\/\/failing\/, 0 frames so far/)
  expect(message).toMatch(/^printed by failing$/m)
  expect(message).not.toMatch(/parsed http:\/\/passing|printed by passing/)
})
