import type { UtxoEntry } from '../../../model/utxo.js'
import type { AddressSet } from '../store/store.js'
import { effectsOf, type AddressEffects, type Effects, type UtxoIndex } from './effects.js'
import type { UnconfirmedRecords } from './records.js'

/** The effects of the unconfirmed transactions, computed once for all trackers after a change. */
export interface CurrentEffects {
  current(): Effects
  /** Entries that the transactions spend or create have changed, or addresses were added. */
  invalidate(): void
}

const NO_EFFECTS: Effects = /*#__PURE__*/ new Map<AddressSet, AddressEffects>()

export function createCurrentEffects(records: UnconfirmedRecords, index: UtxoIndex): CurrentEffects {
  let computed: { readonly version: number; readonly effects: Effects } | null = null
  return {
    current: () => {
      if (records.all.size === 0) return NO_EFFECTS
      if (computed?.version !== records.version)
        computed = { version: records.version, effects: effectsOf(records, index) }
      return computed.effects
    },
    invalidate: () => {
      computed = null
    },
  }
}

/** The effects on some of the address sets. */
export function mergeEffects(
  effects: Effects,
  addressSets: ReadonlyMap<string, AddressSet>,
): { readonly spent: ReadonlySet<UtxoEntry>; readonly unconfirmed: bigint } {
  const merged = new Set<UtxoEntry>()
  let unconfirmed = 0n
  for (const [set, effect] of effects) {
    if (addressSets.get(set.address) !== set) continue
    for (const entry of effect.spent) merged.add(entry)
    unconfirmed += effect.unconfirmed
  }
  return { spent: merged, unconfirmed }
}

export const isSameSet = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one))
