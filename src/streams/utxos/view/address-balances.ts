import type { UtxoEntry } from '../../../model/utxo.js'
import type { AddressSet } from '../store/store.js'
import { isSameBalance, type Balance } from './state.js'
import type { EntrySums } from './running-balance.js'
import type { AddressEffects, Effects } from '../unconfirmed/effects.js'

/** A balance, with what it was computed from: objects that are the same until they change. */
interface Computed {
  readonly sums: EntrySums
  readonly effect: AddressEffects | undefined
  readonly balance: Balance
}

export interface AddressBalancesDeps {
  /** The sums of an address: the same object until they change. */
  readonly sumsOf: (address: string) => EntrySums
  readonly toBalance: (sums: EntrySums, spent: Iterable<UtxoEntry>, unconfirmed: bigint) => Balance
}

/** Computes the balances of some address sets: the same object where none has changed. */
export type AddressBalances = (
  addressSets: ReadonlyMap<string, AddressSet>,
  effects: Effects,
) => Readonly<Record<string, Balance>>

/** Reuses the balances that have not changed: an account may have ten thousand addresses. */
export function createAddressBalances({ sumsOf, toBalance }: AddressBalancesDeps): AddressBalances {
  const computed = new Map<string, Computed>()
  let record: Record<string, Balance> = {}

  /** Returns whether the balance is another than before. */
  function update(address: string, effect: AddressEffects | undefined): boolean {
    const before = computed.get(address)
    const sums = sumsOf(address)
    if (before?.sums === sums && before.effect === effect) return false
    const balance = toBalance(sums, effect?.spent ?? [], effect?.unconfirmed ?? 0n)
    const isSame = before !== undefined && isSameBalance(before.balance, balance)
    computed.set(address, { sums, effect, balance: isSame ? before.balance : balance })
    return !isSame
  }

  return (addressSets, effects) => {
    let isChanged = false
    for (const [address, set] of addressSets) {
      if (update(address, effects.get(set))) isChanged = true
    }
    if (computed.size > addressSets.size) {
      isChanged = true
      for (const address of computed.keys()) if (!addressSets.has(address)) computed.delete(address)
    }
    if (isChanged) record = toRecord(addressSets.keys(), computed)
    return record
  }
}

/** Sets one property after the other, which takes half as long as copying a record. */
function toRecord(addresses: Iterable<string>, computed: ReadonlyMap<string, Computed>): Record<string, Balance> {
  const record: Record<string, Balance> = {}
  for (const address of addresses) {
    const of = computed.get(address)
    if (of !== undefined) record[address] = of.balance
  }
  return record
}
