import { addressVersionOf } from '../../../model/address.js'
import { toOutpointKey, type Outpoint, type UtxoEntry } from '../../../model/utxo.js'
import type { FundsSums } from '../../../errors/insufficient-funds.js'
import { coinOfEntry, type Coin } from './draft.js'
import { feeOfSpending, type FeePolicy } from './fee.js'

/** What may be spent of the entries that a caller offers, and what the rest comes to, in sompi. */
export interface Purse extends Omit<FundsSums, 'required'> {
  /** Spent in any case, whatever they are worth; counted as spendable. */
  readonly fixed: readonly Coin[]
  /** The largest first; equal ones by their place, so that the order in which they came does not show. */
  readonly coins: readonly Coin[]
}

export interface PurseRules {
  readonly isMature: (entry: UtxoEntry) => boolean
  readonly isReserved: (outpoint: Outpoint) => boolean
  readonly policy: FeePolicy
}

/** Where an entry belongs; `foreign` is what a key alone cannot spend: bound by a covenant, or by a script of its own. */
type Pile = 'spendable' | 'immature' | 'reserved' | 'dust' | 'foreign'

/** Sorts entries into what may be spent and what may not, and why. `fixed` are coins that must be spent. */
export function openPurse(entries: readonly UtxoEntry[], rules: PurseRules, fixed: readonly UtxoEntry[] = []): Purse {
  const least = feeOfSpending(rules.policy)
  const spendable: UtxoEntry[] = []
  const sums: Record<Pile, bigint> = { spendable: 0n, immature: 0n, reserved: 0n, dust: 0n, foreign: 0n }
  for (const { amount } of fixed) sums.spendable += amount
  for (const entry of without(entries, fixed)) {
    const pile = pileOf(entry, rules, least)
    sums[pile] += entry.amount
    if (pile === 'spendable') spendable.push(entry)
  }
  return { ...sums, fixed: fixed.map(coinOfEntry), coins: spendable.sort(byAmount).map(coinOfEntry) }
}

function without(entries: readonly UtxoEntry[], taken: readonly UtxoEntry[]): readonly UtxoEntry[] {
  if (taken.length === 0) return entries
  const keys = new Set(taken.map(({ outpoint }) => toOutpointKey(outpoint)))
  return entries.filter(({ outpoint }) => !keys.has(toOutpointKey(outpoint)))
}

function pileOf(entry: UtxoEntry, { isMature, isReserved }: PurseRules, least: bigint): Pile {
  const version = addressVersionOf(entry.scriptPublicKey)
  if (entry.covenantId !== undefined || version === undefined || version === 'ScriptHash') return 'foreign'
  if (isReserved(entry.outpoint)) return 'reserved'
  if (!isMature(entry)) return 'immature'
  return entry.amount > least ? 'spendable' : 'dust'
}

function byAmount(a: UtxoEntry, b: UtxoEntry): number {
  if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1
  return toOutpointKey(a.outpoint) < toOutpointKey(b.outpoint) ? -1 : 1
}
