import { maturityScore } from '../../../model/spendable.js'
import { createUtxoRows } from '../../../model/utxo-source/rows.js'
import { UtxoSource, type UtxoRows } from '../../../model/utxo-source/source.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { isSameBalance, toUtxoBalance, type Balance } from './balance.js'
import type { EntryView, SetVersion, InvalidEntries } from '../store/store.js'
import type { UtxoState } from './state.js'
import type { Summary } from './summary.js'

/** A list that is built on first access. */
export type LazyEntries = () => readonly UtxoEntry[]

/** All entries, as records and as columns. */
export interface Listed {
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
export interface SpendingRule {
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
