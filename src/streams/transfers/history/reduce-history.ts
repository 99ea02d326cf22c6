import type { TransferEntry } from './entry.js'

type EntriesById = ReadonlyMap<string, TransferEntry>

/** Everything known of a history. */
export interface History {
  /** Mempool transactions, newest first. */
  readonly unconfirmed: readonly TransferEntry[]
  /** Accepted by the chain while it was followed. */
  readonly live: EntriesById
  /** The blue score above which `live` is complete; null before the chain is followed. */
  readonly liveFrom: bigint | null
  /** Of the indexer, which lags behind the chain and overlaps it. */
  readonly indexed: EntriesById
  /** The oldest time, in Unix ms, from which the indexer's pages are complete; null where there are no older ones. */
  readonly completeFrom: number | null
}

export const EMPTY_HISTORY: History = {
  unconfirmed: [],
  live: new Map(),
  liveFrom: null,
  indexed: new Map(),
  completeFrom: null,
}

/** What changes a history. */
export type HistoryEvent =
  | {
      readonly type: 'chain'
      /** The blue score after which the chain is followed, in the first event of an iteration. */
      readonly startsAfter: bigint | null
      /** The blue score above which everything is undone. */
      readonly rollback: bigint | null
      readonly entries: readonly TransferEntry[]
      /** Whether the end of the chain was reached. */
      readonly isLive: boolean
    }
  | { readonly type: 'mempool'; readonly entries: readonly TransferEntry[] }
  /** The newest page of the indexer, again. */
  | { readonly type: 'newest-page'; readonly entries: readonly TransferEntry[] }
  /** The next older page of the indexer. */
  | { readonly type: 'page'; readonly entries: readonly TransferEntry[]; readonly completeFrom: number | null }

/** The next history. */
export function reduceHistory(history: History, event: HistoryEvent): History {
  switch (event.type) {
    case 'chain': {
      const { live, indexed, liveFrom } = event.startsAfter === null ? history : restart(history, event.startsAfter)
      return {
        ...history,
        live: withEntries(below(live, event.rollback), event.entries),
        indexed: below(indexed, event.rollback),
        liveFrom: event.rollback !== null && liveFrom !== null && event.rollback < liveFrom ? event.rollback : liveFrom,
      }
    }
    case 'mempool':
      return { ...history, unconfirmed: event.entries }
    case 'newest-page':
      return { ...history, indexed: withEntries(history.indexed, event.entries) }
    case 'page':
      return { ...history, indexed: withEntries(history.indexed, event.entries), completeFrom: event.completeFrom }
  }
}

/** The chain is followed from another block: what was live before it is kept. */
const restart = ({ live, indexed }: History, liveFrom: bigint): Pick<History, 'live' | 'indexed' | 'liveFrom'> => ({
  live: new Map(),
  indexed: new Map([...indexed, ...live]),
  liveFrom,
})

/**
 * The list: unconfirmed first, then newest first. Above `liveFrom` the chain decides alone, because the indexer may still list
 * what a reorg has reverted. Leaves out what older pages may still interleave with.
 */
export function toList({ unconfirmed, live, liveFrom, indexed, completeFrom }: History): readonly TransferEntry[] {
  const older = [...below(indexed, liveFrom)].filter(([, { timestamp }]) => (timestamp ?? 0) >= (completeFrom ?? 0))
  const accepted = new Map([...older, ...live])
  const pending = unconfirmed.filter(({ transactionId }) => !accepted.has(transactionId))
  return [...pending, ...[...accepted.values()].sort(newestFirst)]
}

function newestFirst(left: TransferEntry, right: TransferEntry): number {
  const [leftScore, rightScore] = [left.acceptingBlueScore ?? 0n, right.acceptingBlueScore ?? 0n]
  if (leftScore !== rightScore) return leftScore > rightScore ? -1 : 1
  return left.transactionId < right.transactionId ? -1 : 1
}

const withEntries = (entries: EntriesById, added: readonly TransferEntry[]): EntriesById =>
  added.length === 0 ? entries : new Map([...entries, ...added.map((entry) => [entry.transactionId, entry] as const)])

/** The entries up to a blue score; all for null. */
const below = (entries: EntriesById, blueScore: bigint | null): EntriesById =>
  blueScore === null
    ? entries
    : new Map([...entries].filter(([, { acceptingBlueScore }]) => (acceptingBlueScore ?? 0n) <= blueScore))
