import {
  Subject,
  auditTime,
  combineLatest,
  defer,
  delay,
  filter,
  ignoreElements,
  map,
  merge,
  startWith,
  switchMap,
  take,
  tap,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { isOfType } from '../session/events.js'
import type { NodeLink } from '../session/node-link.js'
import type { Placed } from '../subscriptions/placed.js'
import type { Book } from './book.js'
import { isUnplaced } from './book-phase.js'
import type { Books } from './books.js'
import { fetchBooks$ } from './fetch-books.js'
import type { BookOrders } from './orders.js'

export type KeepBooksDeps = Pick<
  NodeLink,
  'session$' | 'placed$' | 'heard$' | 'missed$' | 'events$' | 'call' | 'network$' | 'platform'
>

/** How long, in ms, a doubt waits for others before the node is asked: a shower of doubts costs one look. */
const DOUBT = 250

/**
 * Keeps books true for as long as it is subscribed to: has each read once its address is subscribed to, takes in what the
 * node tells, and has a book read again when something was missed, came twice or out of order. Never emits or errors.
 */
export function keepBooks$(books: Books, orders: BookOrders, node: KeepBooksDeps): Observable<never> {
  return defer(() => {
    const due$ = new Subject<void>()
    const reread = (some: Iterable<Book>): void => {
      for (const book of some) books.dispatch(book, { type: 'invalidated' })
      due$.next()
    }
    const everything = (): readonly Book[] => [...books.all.values()]
    const work$: Observable<unknown> = merge(
      alignments$(orders, node).pipe(
        tap((placed) => {
          align(books, placed)
          due$.next()
        }),
      ),
      node.placed$.pipe(tap((placed) => abandon(books, placed))),
      doubts$(books, node).pipe(tap(reread)),
      overrides$(node).pipe(tap(() => reread(everything()))),
      node.missed$.pipe(tap(() => reread(everything()))),
      orders.invalidated$.pipe(tap(reread)),
      fetchBooks$(books, due$, node),
    )
    return work$.pipe(ignoreElements())
  })
}

/** What the node is subscribed to, after each change of it, with each session, and after books were opened. */
const alignments$ = ({ opened$ }: BookOrders, { session$, placed$ }: KeepBooksDeps): Observable<Placed> =>
  combineLatest([placed$, session$, opened$.pipe(startWith(undefined))]).pipe(map(([placed]) => placed))

/** Tells books whether the node tells of them. */
function align(books: Books, placed: Placed): void {
  for (const book of [...books.unplaced]) {
    const refusal = placed.refused.get(book.address)
    if (placed.addresses.has(book.address)) books.dispatch(book, { type: 'placed' })
    else if (refusal !== undefined) books.dispatch(book, { type: 'refused', error: refusal.error })
  }
}

/**
 * Tells books that the node tells of them no more: their connection has ended, be it in the middle of a handshake, of which
 * no session tells; or they came when the node had already been told that nobody wants them, and is to be told again.
 */
function abandon(books: Books, { addresses }: Placed): void {
  for (const book of books.all.values()) {
    if (!isUnplaced(book.phase) && !addresses.has(book.address)) books.dispatch(book, { type: 'lost' })
  }
}

/**
 * Moments in which no book is true any more: the pruning point has overridden the set; and, since that may have overtaken
 * what was told of the old one, a while after the next thing told.
 */
const overrides$ = ({ events$, heard$, platform }: KeepBooksDeps): Observable<unknown> =>
  events$('pruning-point-utxo-set-override').pipe(
    switchMap(() =>
      heard$.pipe(filter(isOfType('utxos-changed')), take(1), delay(DOUBT, platform.scheduler), startWith(undefined)),
    ),
  )

/** Takes in what the node tells. Emits the books that it left in doubt, together. */
const doubts$ = (books: Books, { heard$, platform }: KeepBooksDeps): Observable<readonly Book[]> =>
  defer(() => {
    const doubtful = new Set<Book>()
    return heard$.pipe(
      filter(isOfType('utxos-changed')),
      tap(({ data }) => {
        for (const book of books.tell(data)) if (book.phase.step === 'live') doubtful.add(book)
      }),
      filter(() => doubtful.size > 0),
      auditTime(DOUBT, platform.scheduler),
      map(() => [...doubtful]),
      tap(() => doubtful.clear()),
    )
  })
