import { toOutpointKey, type Outpoint } from '../../model/utxo.js'
import type { Book } from './book.js'
import type { EntryChanges } from './entry-changes.js'

/** An output that is on its way. */
export interface Incoming {
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly amount: bigint
}

/** What is on its way to the address of a book, in sompi. */
export function expectedBy({ incoming }: Book): bigint {
  let expected = 0n
  for (const amount of incoming.values()) expected += amount
  return expected
}

/** Makes it what the mempool holds; what is confirmed already is left out. */
export function setIncoming(book: Book, incoming: readonly Incoming[]): void {
  const before = expectedBy(book)
  book.incoming.clear()
  for (const { outpoint, amount } of incoming) {
    if (book.entries.get(outpoint) === undefined) book.incoming.set(toOutpointKey(outpoint), amount)
  }
  const more = expectedBy(book) - before
  if (more !== 0n) for (const holder of book.holders) holder.onIncoming(more)
}

/** A payment that arrives is on its way no longer. */
export function confirmIncoming(book: Book, { come }: EntryChanges): void {
  if (book.incoming.size === 0) return
  let arrived = 0n
  for (const { outpoint } of come) {
    const key = toOutpointKey(outpoint)
    arrived += book.incoming.get(key) ?? 0n
    book.incoming.delete(key)
  }
  if (arrived !== 0n) for (const holder of book.holders) holder.onIncoming(-arrived)
}
