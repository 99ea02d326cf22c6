import { EMPTY, concat, defer, exhaustMap, filter, ignoreElements, map, merge, of, switchMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { NodeLink } from '../session/node-link.js'
import type { Book } from './book.js'
import type { Books } from './books.js'
import { lookAtMempool$ } from './look-at-mempool.js'
import type { BookOrders } from './orders.js'

/** Addresses in one question. */
const ADDRESSES_AT_ONCE = 1_000

export type MempoolLooksDeps = Pick<NodeLink, 'session$' | 'answered$' | 'call' | 'network' | 'platform'>

/**
 * Looks into the mempool for payments that are on their way to books: after each once it is there, then as often as its most
 * impatient holder wants, after own payments, and when someone asks. One question at a time, for all who show an address:
 * what comes to be wanted meanwhile is asked together, next. Never emits or errors.
 */
export function lookAfterMempool$(books: Books, orders: BookOrders, node: MempoolLooksDeps): Observable<never> {
  const wanted = (): Book[] => [...books.all.values()].filter((book) => patienceOf(book) < Infinity)

  const lookInSession$ = defer(() => {
    const due = new Set<Book>()
    const seen = new WeakSet<Book>()
    const lookAtDue$: Observable<unknown> = defer(() => {
      const some = [...due].slice(0, ADDRESSES_AT_ONCE)
      if (some.length === 0) return EMPTY
      for (const book of some) seen.add(book)
      for (const book of some) due.delete(book)
      return concat(lookAtMempool$(some, node), lookAtDue$)
    })
    return merge(
      orders.ticked$.pipe(map((ms) => wanted().filter((book) => patienceOf(book) === ms))),
      merge(orders.looks$, payments$(node).pipe(map(wanted))),
      merge(orders.opened$, of(undefined)).pipe(map(() => wanted().filter((book) => !seen.has(book)))),
    ).pipe(
      tap((some) => some.forEach((book) => due.add(book))),
      exhaustMap(() => lookAtDue$),
    )
  })
  return node.session$.pipe(
    switchMap((session) => (session === null ? EMPTY : lookInSession$)),
    ignoreElements(),
  )
}

/** The shortest wait, in ms, that a holder of a book wants between two looks; Infinity where none wants any. */
const patienceOf = ({ holders }: Book): number =>
  Math.min(...Array.from(holders, ({ mempoolInterval }) => mempoolInterval || Infinity))

/** Payments that this very client has just made. */
const payments$ = ({ answered$ }: MempoolLooksDeps): Observable<unknown> =>
  answered$.pipe(filter((method) => method === 'submitTransaction' || method === 'submitTransactionReplacement'))
