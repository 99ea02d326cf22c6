import { EMPTY, Subject, concat, defer, exhaustMap, filter, finalize, ignoreElements, interval, map, merge } from 'rxjs'
import { share, startWith, switchMap, tap, type Observable } from 'rxjs'
import type { NodeLink } from '../session/node-link.js'
import type { Book } from './book.js'
import type { Books } from './books.js'
import { lookAtMempool$ } from './look-at-mempool.js'

/** Addresses in one question. */
const ADDRESSES_AT_ONCE = 1_000

export type MempoolLooksDeps = Pick<NodeLink, 'session$' | 'answered$' | 'call' | 'network' | 'platform'>

/** What tells that looks are wanted. */
export interface MempoolOrders {
  /** Books were opened, or got another holder. */
  readonly opened$: Observable<void>
  /** Someone wants some books looked after now. */
  readonly looks$: Observable<readonly Book[]>
}

/** Who looks into the mempool for payments that are on their way: one for all, however many show an address. */
export interface MempoolLooks {
  /** Looks while it is subscribed to. Never emits or errors. */
  readonly work$: Observable<never>
  /** Has books whose most impatient holder waits for `ms` looked after so often, while it is subscribed to; for 0 never. */
  every$(ms: number): Observable<never>
}

/**
 * Looks after each book once it is there, then as often as its most impatient holder wants, after own payments, and when
 * someone asks. One question at a time: what comes to be wanted meanwhile is asked together, next.
 */
export function createMempoolLooks(books: Books, orders: MempoolOrders, node: MempoolLooksDeps): MempoolLooks {
  const ticked$ = new Subject<number>()
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
    const unseen = (): Book[] => wanted().filter((book) => !seen.has(book))
    return merge(
      orders.opened$.pipe(startWith(undefined), map(unseen)),
      ticked$.pipe(map((ms) => wanted().filter((book) => patienceOf(book) === ms))),
      merge(orders.looks$, payments$(node).pipe(map(wanted))),
    ).pipe(
      tap((some) => some.forEach((book) => due.add(book))),
      exhaustMap(() => lookAtDue$),
    )
  })
  return {
    work$: node.session$.pipe(
      switchMap((session) => (session === null ? EMPTY : lookInSession$)),
      ignoreElements(),
    ),
    every$: createTicks((ms) => ticked$.next(ms), node),
  }
}

/** The shortest wait, in ms, that a holder of a book wants between two looks; Infinity where none wants any. */
const patienceOf = ({ holders }: Book): number =>
  Math.min(...Array.from(holders, ({ mempoolInterval }) => mempoolInterval || Infinity))

/** Payments that this very client has just made. */
const payments$ = ({ answered$ }: MempoolLooksDeps): Observable<unknown> =>
  answered$.pipe(filter((method) => method === 'submitTransaction' || method === 'submitTransactionReplacement'))

/** One clock an interval, however many listen; it runs while anyone does, and tells `onTick`. */
function createTicks(onTick: (ms: number) => void, { platform }: MempoolLooksDeps): MempoolLooks['every$'] {
  const clocks = new Map<number, Observable<never>>()
  return (ms) => {
    const clock$ =
      clocks.get(ms) ??
      interval(ms, platform.scheduler).pipe(
        tap(() => onTick(ms)),
        ignoreElements(),
        finalize(() => clocks.delete(ms)),
        share(),
      )
    clocks.set(ms, clock$)
    return ms === 0 ? EMPTY : clock$
  }
}
