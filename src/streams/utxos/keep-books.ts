import {
  Subject,
  auditTime,
  combineLatest,
  defer,
  filter,
  ignoreElements,
  map,
  merge,
  skip,
  startWith,
  tap,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { isOfType } from '../session/events.js'
import type { NodeLink } from '../session/node-link.js'
import type { Placed } from '../subscriptions/placed.js'
import type { Book } from './book.js'
import type { Books } from './books.js'
import { fetchBooks$ } from './fetch-books.js'

export type KeepBooksDeps = Pick<
  NodeLink,
  'session$' | 'placed$' | 'heard$' | 'missed$' | 'events$' | 'call' | 'network$' | 'platform'
>

/** How long, in ms, a doubt waits for others before the node is asked: a shower of doubts costs one look. */
const DOUBT = 250

/** What the keeping of books is told by those who use them. */
export interface BookOrders {
  /** Books were opened. */
  readonly opened$: Subject<void>
  /** Books are to be read again. */
  readonly invalidated$: Subject<readonly Book[]>
  /** The mempool is to be looked at for what is on its way to books. */
  readonly looks$: Subject<readonly Book[]>
}

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
      lost$(node).pipe(tap(() => everything().forEach((book) => books.dispatch(book, { type: 'lost' })))),
      alignments$(orders, node).pipe(
        tap(({ isConnected, placed }) => {
          align(books, isConnected, placed)
          due$.next()
        }),
      ),
      doubts$(books, node).pipe(tap(reread)),
      node.events$('pruning-point-utxo-set-override').pipe(tap(() => reread(everything()))),
      node.missed$.pipe(tap(() => reread(everything()))),
      orders.invalidated$.pipe(tap(reread)),
      fetchBooks$(books, due$, node),
    )
    return work$.pipe(ignoreElements())
  })
}

/** The end of each session. */
const lost$ = ({ session$ }: KeepBooksDeps): Observable<unknown> =>
  session$.pipe(
    skip(1),
    filter((session) => session === null),
  )

/** What the node is subscribed to, after each change of it, and after books were opened. */
const alignments$ = (
  { opened$ }: BookOrders,
  { session$, placed$ }: KeepBooksDeps,
): Observable<{ isConnected: boolean; placed: Placed }> =>
  combineLatest([session$, placed$, opened$.pipe(startWith(undefined))]).pipe(
    map(([session, placed]) => ({ isConnected: session !== null, placed })),
  )

/** Tells books whether the node tells of them. */
function align(books: Books, isConnected: boolean, placed: Placed): void {
  for (const book of [...books.unplaced]) {
    const refusal = placed.refused.get(book.address)
    if (placed.addresses.has(book.address)) books.dispatch(book, { type: 'placed' })
    else if (refusal !== undefined) books.dispatch(book, { type: 'refused', error: refusal.error })
    else if (isConnected) books.dispatch(book, { type: 'connected' })
  }
}

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
