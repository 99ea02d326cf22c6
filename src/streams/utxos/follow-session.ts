import { ignoreElements, merge, tap, withLatestFrom, type Observable } from 'rxjs'
import type { NodeLink } from '../session/node-link.js'
import type { Books } from './books.js'
import type { BookOrders } from './orders.js'

/** Tells books of connections that come and go, and new ones of the connection of now. Never emits. */
export function followSession$(
  books: Books,
  { opened$ }: BookOrders,
  { session$ }: Pick<NodeLink, 'session$'>,
): Observable<never> {
  const meet = (): void => [...books.unplaced].forEach((book) => books.dispatch(book, { type: 'connected' }))
  const lose = (): void => books.all.forEach((book) => books.dispatch(book, { type: 'lost' }))
  return merge(
    session$.pipe(tap((session) => (session === null ? lose() : meet()))),
    opened$.pipe(
      withLatestFrom(session$),
      tap(([, session]) => {
        if (session !== null) meet() // else it may be subscribed to already, in a handshake
      }),
    ),
  ).pipe(ignoreElements())
}
