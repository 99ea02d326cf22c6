/** What other modules use of the UTXO sets: they import nothing else of this folder, which a test checks. */
export { createUtxoSets, type UtxoSets } from './utxo-sets.js'
export type { AddressSet, AddressSetSubscriber } from './address-set.js'
export { isUnplaced, reduceMempoolPhase } from './address-phase.js'
export type { AddressPhase, MempoolEvent } from './address-phase.js'
export type { EntryChanges } from './entry-changes.js'
export type { EntryView } from './entry-view.js'
export type { SetVersion } from './history.js'
export { hasEntryAbove, type Snapshot } from './snapshot.js'
export {
  mergeInvalidEntries,
  type InvalidEntries,
  type InvalidEntry,
  type InvalidEntryLog,
  type InvalidReason,
} from './invalid-entries.js'
