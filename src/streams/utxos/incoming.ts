import { MAX_SOMPI } from '../../model/amount.js'
import { toOutpointKey, type Outpoint } from '../../model/utxo.js'
import type { AddressSet } from './address-set.js'
import type { EntryChanges } from './entry-changes.js'

/** An output of a mempool transaction. */
export interface Incoming {
  readonly outpoint: Outpoint
  /** In sompi. */
  readonly amount: bigint
}

/** Sum of the unconfirmed incoming payments, in sompi. */
export function incomingTotal({ incoming }: AddressSet): bigint {
  let total = 0n
  for (const amount of incoming.values()) total += amount
  return total
}

/** Replaces the incoming payments by the mempool's, without those already confirmed, up to the maximum supply. */
export function setIncoming(addressSet: AddressSet, incoming: readonly Incoming[]): void {
  const before = incomingTotal(addressSet)
  let available = MAX_SOMPI - addressSet.total
  addressSet.incoming.clear()
  for (const { outpoint, amount } of incoming) {
    if (amount > available || addressSet.entries.get(outpoint) !== undefined) continue
    addressSet.incoming.set(toOutpointKey(outpoint), amount)
    available -= amount
  }
  const difference = incomingTotal(addressSet) - before
  if (difference !== 0n) for (const subscriber of addressSet.subscribers) subscriber.onIncoming(difference)
}

/** Removes payments whose outputs have been added to the UTXO set. */
export function confirmIncoming(addressSet: AddressSet, { added }: EntryChanges): void {
  if (addressSet.incoming.size === 0) return
  let confirmed = 0n
  for (const { outpoint } of added) {
    const key = toOutpointKey(outpoint)
    confirmed += addressSet.incoming.get(key) ?? 0n
    addressSet.incoming.delete(key)
  }
  if (confirmed !== 0n) for (const subscriber of addressSet.subscribers) subscriber.onIncoming(-confirmed)
}
