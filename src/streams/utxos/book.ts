import type { OutpointKey } from '../../model/utxo.js'
import { UNREAD, type BookPhase } from './book-phase.js'
import type { EntryChanges } from './entry-changes.js'
import { OutpointMap } from './outpoint-map.js'

/** What is known of one address. Mutable: everybody who shows it shows the same. */
export interface Book {
  readonly address: string
  readonly entries: OutpointMap
  /** Unconfirmed payments to it, in sompi. */
  readonly incoming: Map<OutpointKey, bigint>
  readonly holders: Set<BookHolder>
  phase: BookPhase
}

/** Someone who shows books, and is told of every change in them. */
export interface BookHolder {
  /** How often, in ms, the mempool is to be looked at for what is on its way; 0 for never. */
  readonly mempoolInterval: number
  onEntries(changes: EntryChanges): void
  /** `amount` more, or less, is on its way. */
  onIncoming(amount: bigint): void
  onPhase(book: Book, before: BookPhase): void
}

/** A book that nobody holds and that nothing is known of. */
export const createBook = (address: string, seed: number): Book => ({
  address,
  entries: new OutpointMap(seed),
  incoming: new Map(),
  holders: new Set(),
  phase: UNREAD,
})
