import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { BenchRow } from '../../bench/row.js'
import { complaintsOf } from '../../scripts/bench/strict.mjs'
import { HEAD, lineOf, publish } from '../../scripts/bench/table.mjs'

const row = (what: string, ratio: number, changes: Partial<BenchRow> = {}): BenchRow => ({
  ...{ what, against: 'a peer', ratio, goal: '≤ 1 ×', met: ratio <= 1, detail: '1 against 2 ms' },
  ...changes,
})

const pageOf = (...rows: readonly BenchRow[]): string =>
  ['# Performance', '', ...HEAD, ...rows.map(lineOf), '', 'Words | about it.', ''].join('\n')

describe('a row of the published table', () => {
  it.each([
    ['met', row('a', 0.5), '| a | a peer | 0.500 × | ≤ 1 × | 1 against 2 ms | met |'],
    ['missed', row('a', 2), '| a | a peer | 2.00 × | ≤ 1 × | 1 against 2 ms | missed |'],
    [
      'without a goal',
      row('a', 2, { goal: null, met: true }),
      '| a | a peer | 2.00 × | – | 1 against 2 ms | information |',
    ],
    ['without a figure', row('a', NaN, { detail: 'no Chromium' }), '| a | a peer | – | ≤ 1 × | no Chromium | missed |'],
  ])('says %s', (_, given, line) => expect(lineOf(given)).toBe(line))
})

describe('publishing', () => {
  const page = pageOf(row('a', 0.5), row('a', 0.6, { against: 'another' }), row('b', 0.7))

  it.each<[string, readonly BenchRow[], boolean, string]>([
    [
      'replaces the rows of a run in their places, and adds new ones',
      [row('c', 0.1), row('a', 0.2, { against: 'another' })],
      false,
      pageOf(row('a', 0.5), row('a', 0.2, { against: 'another' }), row('b', 0.7), row('c', 0.1)),
    ],
    [
      'leaves no row that a complete run does not have',
      [row('b', 0.2), row('a', 0.4)],
      true,
      pageOf(row('a', 0.4), row('b', 0.2)),
    ],
    ['keeps a row where a run has no figure', [row('b', NaN)], false, page],
  ])('%s', (_, rows, isComplete, expected) => expect(publish(page, rows, { isComplete })).toBe(expected))

  it('rejects a page without the table', () => {
    expect(() => publish('# Performance', [], { isComplete: false })).toThrow('no table of benchmarks')
  })
})

it('npm run bench fails with --strict where a row has no figure, and only then', () => {
  const run = (...options: readonly string[]) =>
    spawnSync(process.execPath, ['scripts/bench.mjs', 'decode', '--time-limit', '0.001', ...options], {
      encoding: 'utf8',
    })
  expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining('aborted after 0.001 s') as string })
  expect(run('--strict')).toMatchObject({ status: 1, stderr: expect.stringContaining('1 of 1 rows miss') as string })
})

it('--strict complains of missed rows and of benchmarks without a row, not of information', () => {
  const [met, missed] = [row('a', 0.4), row('b', 2)]
  const information = row('c', 9, { goal: null, met: true })
  expect(complaintsOf([{ name: 'one', rows: [met, information] }])).toEqual([])
  expect(
    complaintsOf([
      { name: 'one', rows: [met, missed] },
      { name: 'feed-nats', rows: [] },
    ]),
  ).toEqual(['1 of 2 rows miss their goal:', lineOf(missed), 'Without what they need no row is measured: feed-nats'])
})
