import type { LastSummary } from '../../model/last-state/summary.js'
import { toAwaited, withoutSpent, type AwaitUtxos } from '../../model/utxo-source/awaited.js'
import { UtxoSource } from '../../model/utxo-source/source.js'
import type { UtxoEntry } from '../../model/utxo.js'
import {
  toBalance,
  toUtxoBalance,
  type Balance,
  type BalanceState,
  type UtxoState,
} from '../../streams/utxos/view/state.js'

/** What was stored of a set of addresses. */
export interface Restored {
  readonly addresses: readonly string[]
  readonly summary: LastSummary
  /** Empty until they are read: the first call starts that, and another `Restored` follows. */
  readonly entries: () => readonly UtxoEntry[]
}

/** The balances in place of unknown ones. */
export const restoredBalances = (live: BalanceState, { summary }: Restored): BalanceState => ({
  ...restoredFreshness(summary),
  error: live.error,
  balance: sumOf(summary),
  byAddress: Object.fromEntries(Array.from(summary.byAddress, ([address, balance]) => [address, toBalance(balance)])),
})

/**
 * The UTXOs in place of unknown ones. Payments do not use them: they wait for those of the first snapshot, which may
 * have been spent meanwhile.
 */
export const restoredUtxos = (
  live: UtxoState,
  { summary, entries }: Restored,
  firstSnapshot: AwaitUtxos<UtxoState>,
): UtxoState => ({
  addresses: live.addresses,
  invalidEntries: [],
  invalidEntryCount: 0,
  ...restoredFreshness(summary),
  error: live.error,
  balance: toUtxoBalance(sumOf(summary)),
  get entries() {
    const restored = entries()
    return toAwaited(restored, async (wait) => withoutSpent(restored, (await firstSnapshot(wait)).entries))
  },
  matureEntries: toAwaited([], async (wait) => (await firstSnapshot(wait)).matureEntries),
  source: UtxoSource.awaiting(async (wait) => (await firstSnapshot(wait)).source),
})

const restoredFreshness = ({ asOf }: LastSummary) => ({ freshness: 'stale', reason: 'restored', asOf }) as const

function sumOf({ byAddress }: LastSummary): Balance {
  const sum = { mature: 0n, unconfirmed: 0n, immature: 0n, bound: 0n }
  for (const { mature, unconfirmed, immature, bound } of byAddress.values()) {
    sum.mature += mature
    sum.unconfirmed += unconfirmed
    sum.immature += immature
    sum.bound += bound
  }
  return toBalance(sum)
}
