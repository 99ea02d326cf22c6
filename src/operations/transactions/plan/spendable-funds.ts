import { addressVersionOf } from '../../../model/address.js'
import { toOutpointKey, type Outpoint, type UtxoEntry } from '../../../model/utxo.js'
import type { FundsSummary } from '../../../errors/insufficient-funds.js'
import { utxoOfEntry, type Utxo } from './draft.js'
import { feeOfSpending, type FeePolicy } from './fee.js'

/** The spendable UTXOs among the caller's entries, and the sums of each class, in sompi. */
export interface SpendableFunds extends Omit<FundsSummary, 'required'> {
  /** Always spent, even below the dust limit; counted as spendable. */
  readonly fixed: readonly Utxo[]
  /** By amount, largest first, then by outpoint: independent of the order of the entries. */
  readonly utxos: readonly Utxo[]
}

export interface SpendingRules {
  readonly isMature: (entry: UtxoEntry) => boolean
  readonly isReserved: (outpoint: Outpoint) => boolean
  readonly policy: FeePolicy
  /** Entries that are not spent because their script is not that of their address. */
  readonly invalid: readonly UtxoEntry[]
}

/** `foreign`: not spendable with a key alone, because of a covenant or a script. */
type EntryClass = 'spendable' | 'immature' | 'reserved' | 'dust' | 'foreign'

/** Splits entries into spendable and unspendable ones. `fixed` are UTXOs that must be spent. */
export function classifyEntries(
  entries: readonly UtxoEntry[],
  rules: SpendingRules,
  fixed: readonly UtxoEntry[] = [],
): SpendableFunds {
  const dustLimit = feeOfSpending(rules.policy)
  const spendable: UtxoEntry[] = []
  const sums: Record<EntryClass, bigint> = { spendable: 0n, immature: 0n, reserved: 0n, dust: 0n, foreign: 0n }
  for (const { amount } of fixed) sums.spendable += amount
  for (const entry of without(entries, fixed)) {
    const entryClass = classOf(entry, rules, dustLimit)
    sums[entryClass] += entry.amount
    if (entryClass === 'spendable') spendable.push(entry)
  }
  const invalid = rules.invalid.reduce((sum, { amount }) => sum + amount, 0n)
  return { ...sums, invalid, fixed: fixed.map(utxoOfEntry), utxos: spendable.sort(byAmount).map(utxoOfEntry) }
}

function without(entries: readonly UtxoEntry[], excluded: readonly UtxoEntry[]): readonly UtxoEntry[] {
  if (excluded.length === 0) return entries
  const keys = new Set(excluded.map(({ outpoint }) => toOutpointKey(outpoint)))
  return entries.filter(({ outpoint }) => !keys.has(toOutpointKey(outpoint)))
}

function classOf(entry: UtxoEntry, { isMature, isReserved }: SpendingRules, dustLimit: bigint): EntryClass {
  const version = addressVersionOf(entry.scriptPublicKey)
  if (entry.covenantId !== undefined || version === undefined || version === 'ScriptHash') return 'foreign'
  if (isReserved(entry.outpoint)) return 'reserved'
  if (!isMature(entry)) return 'immature'
  return entry.amount > dustLimit ? 'spendable' : 'dust'
}

function byAmount(a: UtxoEntry, b: UtxoEntry): number {
  if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1
  return toOutpointKey(a.outpoint) < toOutpointKey(b.outpoint) ? -1 : 1
}
