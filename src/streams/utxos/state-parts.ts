import { maturityScore } from '../../model/maturity.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { isSameBalance, toUtxoBalance, type Balance } from './balance.js'
import type { SetVersion } from './history.js'
import type { InvalidEntries } from './invalid-entries.js'
import type { UtxoState } from './state.js'
import type { Summary } from './summary.js'

/** A list that is built on first access. */
export type LazyEntries = () => readonly UtxoEntry[]

export interface StateParts {
  readonly addresses: readonly string[]
  readonly summary: Summary
  readonly balance: Balance
  readonly entries: LazyEntries
  readonly matureEntries: LazyEntries
  readonly invalid: InvalidEntries
}

/** What decides whether an entry is spendable. */
export interface SpendingRule {
  readonly score: bigint
  readonly coinbaseMaturity: bigint
  /** Entries that unconfirmed transactions spend. */
  readonly spent: ReadonlySet<UtxoEntry>
}

/** Builds the state. Its closures capture only the two lists, so that it retains nothing else. */
export const toState = ({ addresses, summary, balance, entries, matureEntries, invalid }: StateParts): UtxoState => ({
  addresses,
  ...summary,
  ...invalid,
  balance: toUtxoBalance(balance),
  get entries() {
    return entries()
  },
  get matureEntries() {
    return matureEntries()
  },
})

export const isSameParts = (a: StateParts, b: StateParts): boolean =>
  a.addresses === b.addresses &&
  a.entries === b.entries &&
  a.matureEntries === b.matureEntries &&
  a.invalid === b.invalid &&
  isSameBalance(a.balance, b.balance) &&
  a.summary.freshness === b.summary.freshness &&
  a.summary.reason === b.summary.reason &&
  a.summary.error === b.summary.error

export const entriesAt = (version: SetVersion, addresses: readonly string[]): LazyEntries =>
  lazy(() => version.entriesOf(addresses))

/** The entries that `create` may spend: mature, without a covenant, not spent by an unconfirmed transaction. */
export const spendableOf = (entries: LazyEntries, { score, coinbaseMaturity, spent }: SpendingRule): LazyEntries =>
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
