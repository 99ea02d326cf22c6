import { expect, it } from 'vitest'
import { ChainError } from '../../../../src/errors/chain-error.js'
import type { ChainTransaction } from '../../../../src/streams/chain/batch.js'
import {
  NO_HISTORIES,
  reduceHistories,
  type Histories,
  type HistoriesEvent,
} from '../../../../src/streams/transfers/history/reduce-histories.js'
import type { HistoryRow } from '../../../../src/streams/transfers/history/entry.js'
import { createToList } from '../../../../src/streams/transfers/history/to-list.js'

/** A payment of 1 sompi to addresses, by an unwatched one. */
const payment = (id: string, to: readonly string[]): ChainTransaction => ({
  id,
  version: 0,
  payload: '',
  isCoinbase: false,
  storageMass: 0n,
  computeMass: 0n,
  inputs: [{ outpoint: { transactionId: 'f0', index: 0 }, address: null, amount: null }],
  outputs: to.map((address, index) => ({ index, address, amount: 1n, scriptPublicKey: { version: 0, script: '' } })),
  fee: 0n,
})
const row = (id: string, score: bigint, ...to: readonly string[]): HistoryRow => ({
  transaction: payment(id, to.length === 0 ? ['A'] : to),
  acceptance: { blueScore: score, timestamp: Number(score) * 100 },
  addresses: to.length === 0 ? ['A'] : to,
  isFollowed: true,
})
const indexed = (id: string, score: bigint, ...to: readonly string[]): HistoryRow => ({
  ...row(id, score, ...to),
  isFollowed: false,
})
const added = (...addresses: readonly string[]): HistoriesEvent => ({ type: 'added', addresses })
const chain = (fields: Partial<Extract<HistoriesEvent, { type: 'chain' }>>): HistoriesEvent => ({
  type: 'chain',
  startsAfter: null,
  rollback: null,
  tip: null,
  rows: [],
  isLive: true,
  ...fields,
})
const page = (before: number | null, ...rows: HistoryRow[]): HistoriesEvent => ({
  type: 'page',
  address: 'A',
  rows,
  before,
})
const newest = (...rows: HistoryRow[]): HistoriesEvent => ({ type: 'newest-page', rows })
const mempool = (...ids: string[]): HistoriesEvent => ({
  type: 'mempool',
  transactions: ids.map((id) => payment(id, ['A'])),
})

const after = (...events: readonly HistoriesEvent[]): Histories => events.reduce(reduceHistories, NO_HISTORIES)
const listOf = (histories: Histories, { addresses = ['A'], indexer = true, shown = 100 } = {}) =>
  createToList({ addresses: new Set(addresses), indexer })(histories, shown)
const ids = (histories: Histories, settings: Parameters<typeof listOf>[1] = {}): readonly string[] =>
  listOf(histories, settings).transfers.map(({ transactionId }) => transactionId)

it.each<[string, readonly HistoriesEvent[], readonly string[]]>([
  [
    'lists unconfirmed ones first, then newest first',
    [
      chain({ startsAfter: 10n }),
      mempool('m'),
      chain({ rows: [row('a', 11n), row('b', 12n)] }),
      page(null, indexed('old', 3n)),
    ],
    ['m', 'b', 'a', 'old'],
  ],
  [
    'lists a transaction once when it is accepted, and when the indexer has it too',
    [chain({ startsAfter: 10n }), mempool('a'), chain({ rows: [row('a', 11n)] }), newest(indexed('a', 11n))],
    ['a'],
  ],
  [
    'removes what a rollback reverts, also of the indexer',
    [
      page(null, indexed('kept', 5n), indexed('lost', 9n)),
      chain({ startsAfter: 10n, rows: [row('a', 11n)] }),
      chain({ rollback: 6n, rows: [row('b', 7n)] }),
    ],
    ['b', 'kept'],
  ],
  [
    'ignores a reverted transaction that the indexer still lists',
    [chain({ startsAfter: 10n, rows: [row('a', 11n)] }), chain({ rollback: 10n }), newest(indexed('a', 11n))],
    [],
  ],
  [
    'shows a reverted transaction that is in the mempool again as unconfirmed',
    [chain({ startsAfter: 10n, rows: [row('a', 11n)] }), chain({ rollback: 10n }), mempool('a')],
    ['a'],
  ],
  [
    'leaves out what older pages may interleave with',
    [chain({ startsAfter: 10n }), page(500, indexed('new', 6n), indexed('early', 4n))],
    ['new'],
  ],
  [
    'shows it with the older page',
    [
      chain({ startsAfter: 10n }),
      page(500, indexed('new', 6n), indexed('early', 4n)),
      page(null, indexed('between', 5n)),
    ],
    ['new', 'between', 'early'],
  ],
  [
    'keeps what was live when the chain is followed again from another block',
    [chain({ startsAfter: 10n, rows: [row('a', 11n)] }), chain({ startsAfter: 20n, rows: [row('b', 21n)] })],
    ['b', 'a'],
  ],
])('%s', (_, events, expected) => {
  expect(ids(after(added('A'), ...events))).toEqual(expected)
})

it('lets the chain decide on an address from the block at which it was added', () => {
  const followed = after(added('A'), chain({ startsAfter: 10n, tip: 20n }), added('B'))
  const found = newest(indexed('ofA', 15n, 'A'), indexed('ofB', 15n, 'B'), indexed('both', 15n, 'A', 'B'))
  const histories = reduceHistories(followed, found)
  expect(ids(histories, { addresses: ['A', 'B'] })).toEqual(['ofB'])
})

it('keeps the rows of an address while another one is removed', () => {
  const both = after(added('A', 'B'), chain({ startsAfter: 10n, rows: [row('a', 11n, 'A'), row('b', 12n, 'B')] }))
  const histories = reduceHistories(both, { type: 'removed', addresses: ['B'] })
  expect([ids(histories), histories.live.size]).toEqual([['a'], 1])
})

it('shows as many rows as requested, unconfirmed ones first', () => {
  const histories = after(
    added('A'),
    chain({ startsAfter: 10n, rows: [row('a', 11n), row('b', 12n), row('c', 13n)] }),
    page(null),
    mempool('m'),
  )
  expect(listOf(histories, { shown: 2 })).toMatchObject({
    transfers: [{ transactionId: 'm' }, { transactionId: 'c' }],
    hasMore: true,
  })
  expect(listOf(histories, { shown: 4 }).hasMore).toBe(false)
})

it('begins with the present where the indexer is not used, also after the chain began again', () => {
  const histories = after(
    added('A'),
    page(400, indexed('old', 5n)),
    chain({ startsAfter: 10n, rows: [row('a', 11n)] }),
    chain({ startsAfter: 20n }),
    newest(indexed('a', 11n)),
  )
  expect(listOf(histories, { indexer: false })).toMatchObject({ transfers: [{ transactionId: 'a' }], hasMore: false })
})

it('has no payers of an unconfirmed payment, and those of an accepted one', () => {
  const histories = after(added('A'), chain({ startsAfter: 10n, rows: [row('a', 11n)] }), page(null), mempool('m'))
  expect(listOf(histories).transfers.map(({ counterparties }) => counterparties)).toEqual([null, []])
})

it('keeps an entry the same object while its transaction is unchanged', () => {
  const toList = createToList({ addresses: new Set(['A']), indexer: true })
  const histories = after(added('A'), chain({ startsAfter: 10n, rows: [row('a', 11n)] }))
  const [before] = toList(histories, 9).transfers
  expect(toList(reduceHistories(histories, chain({ rows: [row('b', 12n)] })), 9).transfers[1]).toBe(before)
})

it('drops the older half of too many followed rows, and reads them from the indexer on request', () => {
  const rows = Array.from({ length: 10_001 }, (_, index) => row(`t${index}`, BigInt(index + 11)))
  const histories = after(added('A'), page(null, indexed('old', 5n)), chain({ startsAfter: 10n, rows }))
  const list = listOf(histories, { shown: 10_000 })
  expect([list.transfers.length, list.hasMore]).toEqual([5_000, true])
  expect(list.transfers.at(-1)?.transactionId).toBe('t5001')
  const reread = reduceHistories(histories, page(null, indexed('t5000', 5_011n), indexed('old', 5n)))
  expect(ids(reread, { shown: 10_000 }).slice(-2)).toEqual(['t5000', 'old'])
})

it('reports a failure of an address until its next page', () => {
  const error = new ChainError('The indexer cannot be read')
  const failed = after(added('A'), { type: 'page-failed', address: 'A', error })
  expect(failed.byAddress.get('A')?.error).toBe(error)
  expect(reduceHistories(failed, page(null)).byAddress.get('A')?.error).toBeNull()
})

it('keeps addresses, but nothing else, when everything is read again', () => {
  const histories = after(added('A'), chain({ startsAfter: 10n, rows: [row('a', 11n)] }), page(null), {
    type: 'begun-again',
  })
  expect(histories).toEqual({
    ...NO_HISTORIES,
    byAddress: new Map([['A', { since: null, before: undefined, error: null }]]),
  })
})
