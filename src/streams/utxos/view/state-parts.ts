import { maturityScore } from '../../../model/spendable.js'
import { createUtxoRows } from '../../../model/utxo-source/rows.js'
import { UtxoSource, type UtxoRows } from '../../../model/utxo-source/source.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import {
  isSameBalance,
  toUtxoBalance,
  type Balance,
  type UtxoState,
  type Freshness,
  type StaleReason,
} from './state.js'
import type { EntryView, SetVersion, InvalidEntries, AddressPhase, AddressSet } from '../store/store.js'
import type { ChainError } from '../../../errors/chain-error.js'

/** A list that is built on first access. */
type LazyEntries = () => readonly UtxoEntry[]

/** All entries, as records and as columns. */
interface Listed {
  readonly entries: LazyEntries
  readonly rows: () => UtxoRows
}

export interface StateParts {
  readonly addresses: readonly string[]
  readonly summary: Summary
  readonly balance: Balance
  readonly listed: Listed
  readonly matureEntries: LazyEntries
  readonly source: () => UtxoSource
  readonly invalid: InvalidEntries
}

/** What decides whether an entry is spendable. */
interface SpendingRule {
  readonly score: bigint
  readonly coinbaseMaturity: bigint
  /** Entries that unconfirmed transactions spend. */
  readonly spent: ReadonlySet<UtxoEntry>
}

/** Builds the state. Its closures capture only what is read of them, so that it retains nothing else. */
export const toState = ({
  addresses,
  summary,
  balance,
  listed: { entries },
  matureEntries,
  source,
  invalid,
}: StateParts): UtxoState => ({
  addresses,
  ...summary,
  asOf: null,
  ...invalid,
  balance: toUtxoBalance(balance),
  get entries() {
    return entries()
  },
  get matureEntries() {
    return matureEntries()
  },
  get source() {
    return source()
  },
})

export const isSameParts = (a: StateParts, b: StateParts): boolean =>
  a.addresses === b.addresses &&
  a.listed === b.listed &&
  a.matureEntries === b.matureEntries &&
  a.invalid === b.invalid &&
  isSameBalance(a.balance, b.balance) &&
  a.summary.freshness === b.summary.freshness &&
  a.summary.reason === b.summary.reason &&
  a.summary.error === b.summary.error

/** The entries of a version, which is read once, whichever form of them is read first. */
export const listedAt = (version: SetVersion, addresses: readonly string[]): Listed =>
  listedFrom(lazy(() => version.viewsOf(addresses)))

/**
 * A function of its own, because closures retain all that any closure of their function captures: here not the version.
 */
const listedFrom = (views: () => readonly EntryView[]): Listed => ({
  entries: lazy(() => views().flatMap((view) => view.toArray())),
  rows: lazy(() => createUtxoRows(views().flatMap((view) => view.toParts()))),
})

/** The entries for payments. Shares the order of its rows with other states of the same entries. */
export const sourceOf = ({ rows }: Listed, { score, coinbaseMaturity, spent }: SpendingRule): (() => UtxoSource) =>
  lazy(() => UtxoSource.of(rows(), { score, coinbaseMaturity, spent: Array.from(spent, ({ outpoint }) => outpoint) }))

/** The entries that `create` may spend: mature, without a covenant, not spent by an unconfirmed transaction. */
export const spendableOf = ({ entries }: Listed, { score, coinbaseMaturity, spent }: SpendingRule): LazyEntries =>
  lazy(() =>
    entries().filter(
      (entry) =>
        entry.covenantId === undefined &&
        maturityScore(entry, coinbaseMaturity) <= score &&
        !(spent.size > 0 && spent.has(entry)),
    ),
  )

/** Computes a value at the first call, caches it, and releases the inputs. */
function lazy<T>(compute: () => T): () => T {
  let result: { readonly compute: () => T } | { readonly value: T } = { compute }
  return () => {
    if ('compute' in result) result = { value: result.compute() }
    return result.value
  }
}

/** Freshness of a tracker: that of its least fresh address set. */
type Summary = Pick<UtxoState, 'freshness' | 'reason' | 'error'>

/** What limits a tracker's freshness besides its address sets. */
export interface TrackerContext {
  readonly node: 'synced' | 'syncing'
  /** An address of another network; it has no address set. */
  readonly addressError: ChainError | null
  /** Why the last attempt to connect failed. */
  readonly connectionError: ChainError | null
}

export const isSameContext = (a: TrackerContext, b: TrackerContext): boolean =>
  a.node === b.node && a.addressError === b.addressError && a.connectionError === b.connectionError

const RANK: Readonly<Record<Freshness, number>> = { fresh: 0, stale: 1, loading: 2, unknown: 3 }

export function summarize(
  addressSets: Iterable<AddressSet>,
  { node, addressError, connectionError }: TrackerContext,
): Summary {
  if (addressError !== null) return { freshness: 'unknown', reason: 'wrong-network', error: addressError }
  let worst: Summary | null = null
  for (const { phase } of addressSets) {
    const current = toFreshness(phase)
    if (worst === null || RANK[current.freshness] > RANK[worst.freshness])
      worst = { ...current, error: toAddressError(phase) }
  }
  if (worst === null) return { freshness: 'unknown', reason: 'idle', error: null }
  if (worst.reason === 'disconnected') return { ...worst, error: connectionError }
  return worst.freshness === 'fresh' && node === 'syncing'
    ? { freshness: 'stale', reason: 'not-synced', error: null }
    : worst
}

/** Freshness of the address's entries, and the reason where they are not fresh. */
export function toFreshness(phase: AddressPhase): {
  readonly freshness: Freshness
  readonly reason: StaleReason | null
} {
  if (phase.step === 'live') return { freshness: 'fresh', reason: null }
  const reason = toReason(phase)
  if (phase.content === 'loaded') return { freshness: 'stale', reason }
  return { freshness: reason === 'fetching' || reason === 'subscribing' ? 'loading' : 'unknown', reason }
}

function toReason(phase: AddressPhase): StaleReason {
  switch (phase.step) {
    case 'subscribing':
      if (phase.refusal === null) return 'subscribing'
      return phase.refusal.code === 'unsupported' ? 'no-utxo-index' : 'subscription-refused'
    case 'due':
    case 'fetching':
      return 'fetching'
    case 'failed':
      return 'fetch-failed'
    default:
      return 'disconnected'
  }
}

export const toAddressError = (phase: AddressPhase): ChainError | null =>
  phase.step === 'failed' ? phase.error : phase.step === 'subscribing' ? phase.refusal : null
