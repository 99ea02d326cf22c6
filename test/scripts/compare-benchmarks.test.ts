import { expect, it } from 'vitest'
import { compareRows, comparisonTable, type StoredRow } from '../../scripts/bench/compare.mjs'

const row = (what: string, ratio: number | null, changes: Partial<StoredRow> = {}): StoredRow => ({
  what,
  against: 'a peer',
  ratio,
  goal: '≤ 1 ×',
  met: true,
  ...changes,
})

it.each<[string, StoredRow | undefined, StoredRow | undefined, number | undefined, string]>([
  ['slower', row('a', 0.4), row('a', 0.5), 1.25, 'worse'],
  ['faster', row('a', 0.5), row('a', 0.4), 0.8, 'better'],
  ['within the tolerance', row('a', 0.4), row('a', 0.44), 1.1, '='],
  [
    'more, where the goal is a lower bound',
    row('a', 2, { goal: '≥ 2 ×' }),
    row('a', 4, { goal: '≥ 2 ×' }),
    2,
    'better',
  ],
  [
    'less, where the goal is a lower bound',
    row('a', 4, { goal: '≥ 2 ×' }),
    row('a', 2, { goal: '≥ 2 ×' }),
    0.5,
    'worse',
  ],
  ['no longer within the goal', row('a', 1), row('a', 1.1, { met: false }), 1.1, 'missed now'],
  ['within the goal again', row('a', 1.1, { met: false }), row('a', 1), 1 / 1.1, 'met now'],
  ['without a ratio before', row('a', null), row('a', 1), undefined, '–'],
  ['aborted now', row('a', 1), row('a', null, { met: false }), undefined, 'missed now'],
  ['new', undefined, row('a', 1), undefined, 'new'],
  ['removed', row('a', 1), undefined, undefined, 'removed'],
])('marks a row that is %s', (_, before, now, change, mark) => {
  const [compared, ...others] = compareRows(before === undefined ? [] : [before], now === undefined ? [] : [now])
  expect(compared).toMatchObject({ what: 'a', against: 'a peer', mark })
  expect(compared?.change?.toFixed(6)).toBe(change?.toFixed(6))
  expect(others).toEqual([])
})

it('pairs rows by measurement and peer, whatever their order, and prints a line for each', () => {
  const before = [row('a', 1), row('a', 2, { against: 'another' }), row('b', 3)]
  const now = [row('c', 1), row('a', 4, { against: 'another' }), row('a', 1)]
  expect(comparisonTable(compareRows(before, now))).toEqual([
    '| what | against | before | now | now / before | |',
    '| --- | --- | --- | --- | --- | --- |',
    '| c | a peer | – | 1.00 × | – | new |',
    '| a | another | 2.00 × | 4.00 × | 2.00 × | worse |',
    '| a | a peer | 1.00 × | 1.00 × | 1.00 × | = |',
    '| b | a peer | 3.00 × | – | – | removed |',
  ])
})
