import { Subject, filter, ignoreElements, mergeMap, tap, timer, map } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import type { NodeLink } from '../session/node-link.js'
import type { Book, BookHolder } from './book.js'
import type { Books } from './books.js'

/** How long, in ms, a book is kept after its last holder has gone: a component that comes back finds it fresh. */
export const LINGER = 1_000

/** Who holds which book. The node is asked to tell of an address while its book exists. */
export interface Holds {
  /** The book of an address, wanted of the node from now on. */
  take(address: string): Book
  /** Lets a book go that a holder has left; it is dropped when nobody has come for it in a second. */
  release(book: Book): void
  /** Drops the books of any other network: two of them may share their addresses, and yet have no coin in common. */
  turnTo(network: ChainNetwork): void
  readonly dropAll: () => void
  /** Drops books when their time has come, while it is subscribed to. Never emits. */
  readonly drops$: Observable<never>
}

export function createHolds(books: Books, { want, platform }: Pick<NodeLink, 'want' | 'platform'>): Holds {
  const wanted = new Map<Book, Subscription>()
  const released$ = new Subject<Book>()
  let turnedTo: ChainNetwork | undefined
  const drop = (book: Book): void => {
    books.drop(book)
    wanted.get(book)?.unsubscribe()
    wanted.delete(book)
  }
  const dropAll = (): void => [...wanted.keys()].forEach(drop)
  return {
    take: (address) => {
      const book = books.open(address)
      if (!wanted.has(book)) wanted.set(book, want({ type: 'utxos-changed', addresses: [address] }))
      return book
    },
    release: (book) => {
      if (book.holders.size === 0) released$.next(book)
    },
    turnTo: (network) => {
      if (network !== turnedTo) dropAll()
      turnedTo = network
    },
    dropAll,
    drops$: released$.pipe(
      mergeMap((book) => timer(LINGER, platform.scheduler).pipe(map(() => book))),
      filter((book) => book.holders.size === 0 && wanted.has(book)),
      tap(drop),
      ignoreElements(),
    ),
  }
}

/** Makes a holder hold exactly the books of `addresses`. */
export function holdOnly(
  holder: BookHolder & { readonly held: ReadonlyMap<string, Book>; take(book: Book): void; leave(book: Book): void },
  addresses: ReadonlySet<string>,
  holds: Holds,
): void {
  for (const book of [...holder.held.values()]) {
    if (addresses.has(book.address)) continue
    holder.leave(book)
    holds.release(book)
  }
  for (const address of addresses) if (!holder.held.has(address)) holder.take(holds.take(address))
}
