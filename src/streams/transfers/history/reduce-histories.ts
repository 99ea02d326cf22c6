import type { ChainError } from '../../../errors/chain-error.js'
import type { ChainTransaction } from '../../chain/batch.js'
import { NO_ROWS, newestFirst, rowsWhere, withRows, type HistoryRow, type Rows } from './entry.js'

/** What is known of the history of one address. */
export interface AddressHistory {
  /** The blue score above which the chain alone decides; null before the chain is followed. */
  readonly since: bigint | null
  /**
   * The time, in Unix ms, below which the next older page of the indexer begins; null where there are none, undefined
   * before the first page.
   */
  readonly before: number | null | undefined
  /** Why the indexer could not be read at last; otherwise null. */
  readonly error: ChainError | null
}

/** The histories of all addresses of an engine's lists, so that lists of one address show the same. */
export interface Histories {
  readonly byAddress: ReadonlyMap<string, AddressHistory>
  /** The blue score that the chain was followed to; null before. */
  readonly tip: bigint | null
  /** Whether the end of the chain was reached once. */
  readonly isLive: boolean
  /** Accepted by the chain while it was followed. */
  readonly live: Rows
  /** Of the indexer, which lags behind the chain and overlaps it, and of the chain before it began again. */
  readonly older: Rows
  /** Mempool transactions, in the node's order. */
  readonly unconfirmed: readonly ChainTransaction[]
  /** Why the chain could not be followed at last; otherwise null. */
  readonly chainError: ChainError | null
}

export const NO_HISTORIES: Histories = {
  byAddress: /*#__PURE__*/ new Map(),
  tip: null,
  isLive: false,
  live: NO_ROWS,
  older: NO_ROWS,
  unconfirmed: [],
  chainError: null,
}

/** What changes histories. */
export type HistoriesEvent =
  | { readonly type: 'added' | 'removed'; readonly addresses: readonly string[] }
  /** All addresses are read again. */
  | { readonly type: 'begun-again' }
  | {
      readonly type: 'chain'
      /** The blue score after which the chain is followed, in the first event of an iteration. */
      readonly startsAfter: bigint | null
      /** The blue score above which everything is undone. */
      readonly rollback: bigint | null
      /** The blue score of the last block; null where the batch has none. */
      readonly tip: bigint | null
      readonly rows: readonly HistoryRow[]
      /** Whether the end of the chain was reached. */
      readonly isLive: boolean
    }
  | { readonly type: 'chain-failed'; readonly error: ChainError }
  | { readonly type: 'mempool'; readonly transactions: readonly ChainTransaction[] }
  /** The next older page of an address. */
  | {
      readonly type: 'page'
      readonly address: string
      readonly rows: readonly HistoryRow[]
      readonly before: number | null
    }
  /** The newest page of an address, again. */
  | { readonly type: 'newest-page'; readonly rows: readonly HistoryRow[] }
  | { readonly type: 'page-failed'; readonly address: string; readonly error: ChainError }

/** Followed transactions above which the older half is dropped; the indexer's pages then begin below what is kept. */
const MAX_LIVE = 10_000

/** The next histories; the same object where nothing changes. */
export function reduceHistories(histories: Histories, event: HistoriesEvent): Histories {
  switch (event.type) {
    case 'added':
      return { ...histories, byAddress: withNew(histories, event.addresses) }
    case 'removed':
      return remove(histories, new Set(event.addresses))
    case 'begun-again':
      return { ...NO_HISTORIES, byAddress: withNew(NO_HISTORIES, [...histories.byAddress.keys()]) }
    case 'chain':
      return pruned(applyBatch(event.startsAfter === null ? histories : restart(histories, event.startsAfter), event))
    case 'chain-failed':
      return { ...histories, chainError: event.error }
    case 'mempool':
      return isSameMempool(histories.unconfirmed, event.transactions)
        ? histories
        : { ...histories, unconfirmed: event.transactions }
    case 'page':
      return {
        ...histories,
        older: withIndexed(histories.older, event.rows),
        byAddress: withAddress(histories, event.address, { before: event.before, error: null }),
      }
    case 'newest-page':
      return event.rows.length === 0 ? histories : { ...histories, older: withIndexed(histories.older, event.rows) }
    case 'page-failed':
      return { ...histories, byAddress: withAddress(histories, event.address, { error: event.error }) }
  }
}

/** A new address counts from the position of the chain on. */
function withNew({ byAddress, tip }: Histories, addresses: readonly string[]): Histories['byAddress'] {
  const added = addresses.filter((address) => !byAddress.has(address))
  const unread = { since: tip, before: undefined, error: null }
  return added.length === 0 ? byAddress : new Map([...byAddress, ...added.map((address) => [address, unread] as const)])
}

function remove(histories: Histories, removed: ReadonlySet<string>): Histories {
  const byAddress = new Map([...histories.byAddress].filter(([address]) => !removed.has(address)))
  const isKept = (row: HistoryRow): boolean => row.addresses.some((address) => byAddress.has(address))
  return {
    ...histories,
    byAddress,
    live: rowsWhere(histories.live, isKept),
    older: rowsWhere(histories.older, isKept),
  }
}

function withAddress(
  { byAddress }: Histories,
  address: string,
  fields: Partial<AddressHistory>,
): Histories['byAddress'] {
  const known = byAddress.get(address)
  return known === undefined ? byAddress : new Map([...byAddress, [address, { ...known, ...fields }]])
}

/** What was followed stays so where the indexer has it too. */
const withIndexed = (older: Rows, rows: readonly HistoryRow[]): Rows =>
  withRows(
    older,
    rows.map((row) => (older.get(row.transaction.id)?.isFollowed === true ? { ...row, isFollowed: true } : row)),
  )

/** The chain is followed from another block: what was live before it is kept. */
const restart = (histories: Histories, since: bigint): Histories => ({
  ...histories,
  live: NO_ROWS,
  older: withRows(histories.older, [...histories.live.values()]),
  byAddress: new Map([...histories.byAddress].map(([address, known]) => [address, { ...known, since }])),
  tip: since,
})

function applyBatch(histories: Histories, event: Extract<HistoriesEvent, { type: 'chain' }>): Histories {
  const { rollback, rows, isLive, tip } = event
  const kept = rollback === null ? histories : undoAbove(histories, rollback)
  return {
    ...kept,
    live: withRows(kept.live, rows),
    tip: tip ?? kept.tip,
    isLive: kept.isLive || isLive,
    chainError: null,
  }
}

function undoAbove(histories: Histories, score: bigint): Histories {
  const isKept = ({ acceptance }: HistoryRow): boolean => acceptance.blueScore <= score
  const isAffected = [...histories.byAddress.values()].some(({ since }) => since !== null && since > score)
  const lowered = ([address, known]: readonly [string, AddressHistory]) =>
    [address, known.since !== null && known.since > score ? { ...known, since: score } : known] as const
  return {
    ...histories,
    live: rowsWhere(histories.live, isKept),
    older: rowsWhere(histories.older, isKept),
    byAddress: isAffected ? new Map([...histories.byAddress].map(lowered)) : histories.byAddress,
    tip: score,
  }
}

/** Keeps the newer half of too many followed transactions; what is older is read from the indexer again on request. */
function pruned(histories: Histories): Histories {
  const { live, byAddress } = histories
  if (live.size <= MAX_LIVE) return histories
  const sorted = [...live.values()].sort(newestFirst)
  const since = sorted[MAX_LIVE / 2]?.acceptance.blueScore ?? 0n
  const kept = sorted.filter(({ acceptance }) => acceptance.blueScore > since)
  const oldest = (kept.at(-1) ?? sorted[0])?.acceptance.timestamp ?? 0
  const reread = ({ before, ...known }: AddressHistory): AddressHistory => ({
    ...known,
    since: known.since === null || known.since < since ? since : known.since,
    before: before === undefined ? undefined : oldest + 1,
  })
  return {
    ...histories,
    live: withRows(NO_ROWS, kept),
    older: NO_ROWS,
    byAddress: new Map([...byAddress].map(([address, known]) => [address, reread(known)])),
  }
}

/** Payers become known once the node's index has the outputs that are spent. */
const knownInputs = ({ inputs }: ChainTransaction): number => inputs.filter(({ address }) => address !== null).length

const isSameMempool = (left: readonly ChainTransaction[], right: readonly ChainTransaction[]): boolean =>
  left.length === right.length &&
  left.every((transaction, index) => {
    const other = right[index]
    return other?.id === transaction.id && knownInputs(transaction) === knownInputs(other)
  })
