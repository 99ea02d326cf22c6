import { addressVersionOf } from '../../../model/address.js'
import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import type { FundsSums } from '../../../errors/insufficient-funds.js'
import { coinOfEntry, type Coin } from './draft.js'
import { feeOfSpending, type FeePolicy } from './fee.js'

/** What may be spent of the entries that a caller offers, and what the rest comes to, in sompi. */
export interface Purse extends Omit<FundsSums, 'required'> {
  readonly coins: readonly Coin[]
}

export interface PurseRules {
  readonly isMature: (entry: UtxoEntry) => boolean
  readonly isReserved: (outpoint: Outpoint) => boolean
  readonly policy: FeePolicy
}

/** Where an entry belongs; `foreign` is what a key alone cannot spend: bound by a covenant, or by a script of its own. */
type Pile = 'spendable' | 'immature' | 'reserved' | 'dust' | 'foreign'

/** Sorts entries into what may be spent and what may not, and why. */
export function openPurse(entries: readonly UtxoEntry[], rules: PurseRules): Purse {
  const least = feeOfSpending(rules.policy)
  const coins: Coin[] = []
  const sums: Record<Pile, bigint> = { spendable: 0n, immature: 0n, reserved: 0n, dust: 0n, foreign: 0n }
  for (const entry of entries) {
    const pile = pileOf(entry, rules, least)
    sums[pile] += entry.amount
    if (pile === 'spendable') coins.push(coinOfEntry(entry))
  }
  const { spendable, immature, reserved, dust } = sums
  return { coins, spendable, immature, reserved, dust }
}

function pileOf(entry: UtxoEntry, { isMature, isReserved }: PurseRules, least: bigint): Pile {
  const version = addressVersionOf(entry.scriptPublicKey)
  if (entry.covenantId !== undefined || version === undefined || version === 'ScriptHash') return 'foreign'
  if (isReserved(entry.outpoint)) return 'reserved'
  if (!isMature(entry)) return 'immature'
  return entry.amount > least ? 'spendable' : 'dust'
}
