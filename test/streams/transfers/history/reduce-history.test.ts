import { expect, it } from 'vitest'
import type { TransferEntry } from '../../../../src/streams/transfers/history/entry.js'
import {
  EMPTY_HISTORY,
  reduceHistory,
  toList,
  type History,
  type HistoryEvent,
} from '../../../../src/streams/transfers/history/reduce-history.js'

const entry = (transactionId: string, score: bigint | null): TransferEntry => ({
  transactionId,
  status: score === null ? 'unconfirmed' : 'accepted',
  net: 1n,
  fee: 0n,
  timestamp: score === null ? null : Number(score) * 100,
  acceptingBlueScore: score,
  isCoinbase: false,
  isInternal: false,
  counterparties: [],
})
const chain = (fields: Partial<Extract<HistoryEvent, { type: 'chain' }>>): HistoryEvent => ({
  type: 'chain',
  startsAfter: null,
  rollback: null,
  entries: [],
  isLive: true,
  ...fields,
})
const page = (completeFrom: number | null, ...entries: TransferEntry[]): HistoryEvent => ({
  type: 'page',
  entries,
  completeFrom,
})
const mempool = (...ids: string[]): HistoryEvent => ({ type: 'mempool', entries: ids.map((id) => entry(id, null)) })
const after = (...events: readonly HistoryEvent[]): History => events.reduce(reduceHistory, EMPTY_HISTORY)
const listed = (...events: readonly HistoryEvent[]): readonly string[] =>
  toList(after(...events)).map(({ transactionId }) => transactionId)

it.each<[string, readonly HistoryEvent[], readonly string[]]>([
  [
    'lists unconfirmed ones first, then newest first',
    [
      chain({ startsAfter: 10n }),
      mempool('m'),
      chain({ entries: [entry('a', 11n), entry('b', 12n)] }),
      page(null, entry('old', 3n)),
    ],
    ['m', 'b', 'a', 'old'],
  ],
  [
    'lists a transaction once when it is accepted, and when the indexer has it too',
    [
      chain({ startsAfter: 10n }),
      mempool('a'),
      chain({ entries: [entry('a', 11n)] }),
      { type: 'newest-page', entries: [entry('a', 11n)] },
    ],
    ['a'],
  ],
  [
    'removes what a rollback reverts, also of the indexer',
    [
      page(null, entry('kept', 5n), entry('lost', 9n)),
      chain({ startsAfter: 10n, entries: [entry('a', 11n)] }),
      chain({ rollback: 6n, entries: [entry('b', 7n)] }),
    ],
    ['b', 'kept'],
  ],
  [
    'ignores a reverted transaction that the indexer still lists',
    [
      chain({ startsAfter: 10n, entries: [entry('a', 11n)] }),
      chain({ rollback: 10n }),
      { type: 'newest-page', entries: [entry('a', 11n)] },
    ],
    [],
  ],
  [
    'shows a reverted transaction that is in the mempool again as unconfirmed',
    [chain({ startsAfter: 10n, entries: [entry('a', 11n)] }), chain({ rollback: 10n }), mempool('a')],
    ['a'],
  ],
  [
    'leaves out what older pages may interleave with',
    [chain({ startsAfter: 10n }), page(500, entry('new', 6n), entry('early', 4n))],
    ['new'],
  ],
  [
    'shows it with the older page',
    [chain({ startsAfter: 10n }), page(500, entry('new', 6n), entry('early', 4n)), page(null, entry('between', 5n))],
    ['new', 'between', 'early'],
  ],
  [
    'keeps what was live when the chain is followed again from another block',
    [chain({ startsAfter: 10n, entries: [entry('a', 11n)] }), chain({ startsAfter: 20n, entries: [entry('b', 21n)] })],
    ['b', 'a'],
  ],
])('%s', (_, events, expected) => {
  expect(listed(...events)).toEqual(expected)
})
