import { toScriptPublicKey } from '../../../model/address.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'
import { UNLOADED, type AddressPhase } from './address-phase.js'
import type { EntryChanges } from './entry-changes.js'
import { EntrySet } from './entry-set.js'
import { InvalidEntryLog } from './invalid-entries.js'
import type { MempoolPhase } from './mempool-phase.js'
import type { OutpointHash } from './outpoint-hash.js'

/** UTXO set of one address. Mutable and shared by all its subscribers. */
export interface AddressSet {
  readonly address: string
  /** The script that the address encodes. */
  readonly script: ScriptPublicKey
  readonly entries: EntrySet
  /** Sum of the entries, in sompi. */
  total: bigint
  /** The host of the node that reported the entries. */
  host: string
  /** Reported entries that are not in `entries`. */
  readonly invalid: InvalidEntryLog
  mempool: MempoolPhase
  readonly subscribers: Set<AddressSetSubscriber>
  phase: AddressPhase
}

/** Notified of every change in its address sets. */
export interface AddressSetSubscriber {
  /** Ms between two mempool reads; 0 for never. */
  readonly mempoolInterval: number
  onEntries(changes: EntryChanges): void
  onPhase(addressSet: AddressSet, before: AddressPhase): void
  /** The invalid entries have changed. */
  onInvalid(): void
}

export const createAddressSet = (address: string, hash: OutpointHash, nextOrder: () => number): AddressSet => ({
  address,
  script: toScriptPublicKey(address),
  entries: new EntrySet(hash),
  total: 0n,
  host: '',
  invalid: new InvalidEntryLog(nextOrder),
  mempool: 'unread',
  subscribers: new Set(),
  phase: UNLOADED,
})
