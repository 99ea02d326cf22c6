import { isMature } from '../../model/maturity.js'
import { toOutpointKey, type OutpointKey, type UtxoBalance, type UtxoEntry } from '../../model/utxo.js'
import type { Moment } from './history.js'
import type { UtxoState } from './state.js'
import type { Summary } from './summary.js'

/** A list that is made when it is first read. */
export type Lazily = () => readonly UtxoEntry[]

/** What a state is made of. */
export interface Parts {
  readonly addresses: readonly string[]
  readonly summary: Summary
  readonly balance: UtxoBalance
  readonly entries: Lazily
  readonly matureEntries: Lazily
}

/** What decides whether a coin may be spent. */
export interface SpendingRule {
  readonly score: bigint
  readonly coinbaseMaturity: bigint
  readonly reserved: ReadonlySet<OutpointKey>
}

/** The state that parts make up. Its closures see nothing but the two lists, so that it keeps nothing else alive. */
export const toState = ({ addresses, summary, balance, entries, matureEntries }: Parts): UtxoState => ({
  addresses,
  ...summary,
  balance,
  get entries() {
    return entries()
  },
  get matureEntries() {
    return matureEntries()
  },
})

/** Whether two states would say the same. */
export const isSameShown = (a: Parts, b: Parts): boolean =>
  a.addresses === b.addresses &&
  a.entries === b.entries &&
  a.matureEntries === b.matureEntries &&
  a.balance.mature === b.balance.mature &&
  a.balance.pending === b.balance.pending &&
  a.summary.freshness === b.summary.freshness &&
  a.summary.reason === b.summary.reason &&
  a.summary.error === b.summary.error

/** The entries of some addresses at a moment. */
export const entriesAt = (moment: Moment, addresses: readonly string[]): Lazily =>
  once(() => moment.entriesOf(addresses))

/** What of `entries` `create` may spend: ripe, bound by no covenant, not taken by a payment under way. */
export const spendableOf = (entries: Lazily, { score, coinbaseMaturity, reserved }: SpendingRule): Lazily =>
  once(() =>
    entries().filter(
      (entry) =>
        entry.covenantId === undefined &&
        isMature(entry, score, coinbaseMaturity) &&
        !(reserved.size > 0 && reserved.has(toOutpointKey(entry.outpoint))),
    ),
  )

/** Works something out at the first call, answers the same ever after, and then lets go of what it was worked out from. */
function once<T>(work: () => T): () => T {
  let result: { readonly work: () => T } | { readonly value: T } = { work }
  return () => {
    if ('work' in result) result = { value: result.work() }
    return result.value
  }
}
