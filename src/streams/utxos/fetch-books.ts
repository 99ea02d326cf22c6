import { EMPTY, Subject, catchError, concat, defer, exhaustMap, ignoreElements, merge, mergeMap, of } from 'rxjs'
import { switchMap, tap, timer, type Observable } from 'rxjs'
import { DEFAULT_RETRIES, backoff } from '../connection/policy.js'
import type { NodeLink } from '../session/node-link.js'
import { toRpcError } from '../to-rpc-error.js'
import type { Book } from './book.js'
import type { Books } from './books.js'

/** Addresses in one question: a node answers one after the other, and a long answer holds up what it has to tell. */
const ADDRESSES_AT_ONCE = 250

/**
 * Has the books that are due read, a chunk after the other, one question at a time. `due$` says that there may be some.
 * What the node refuses is asked again after a growing wait, as long as the session lasts. Never emits or errors.
 */
export function fetchBooks$(
  books: Books,
  due$: Observable<void>,
  { session$, call, platform }: Pick<NodeLink, 'session$' | 'call' | 'platform'>,
): Observable<never> {
  const fetchInSession$ = defer(() => {
    const failed$ = new Subject<{ readonly chunk: readonly Book[]; readonly delay: number }>()
    let failures = 0
    retry(books, books.all.values()) // whoever waited for the session before waits no longer

    const fetch$ = (chunk: readonly Book[]): Observable<unknown> => {
      for (const book of chunk) books.dispatch(book, { type: 'fetchBegun' })
      return call('getUtxosByAddresses', { addresses: chunk.map(({ address }) => address) }).pipe(
        tap(({ entries }) => {
          failures = 0
          books.read(chunk, entries)
        }),
        catchError((cause: unknown) => {
          failures++
          const error = toRpcError('getUtxosByAddresses', cause)
          for (const book of chunk) books.dispatch(book, { type: 'fetchFailed', error })
          failed$.next({ chunk, delay: backoff(failures, DEFAULT_RETRIES, platform.random()) })
          return EMPTY
        }),
      )
    }
    const fetchAll$: Observable<unknown> = defer(() => {
      const chunk = [...books.due].slice(0, ADDRESSES_AT_ONCE)
      return chunk.length === 0 ? EMPTY : concat(fetch$(chunk), fetchAll$)
    })
    const retries$ = failed$.pipe(
      mergeMap(({ chunk, delay }) => timer(delay, platform.scheduler).pipe(tap(() => retry(books, chunk)))),
    )
    const begin$ = of(undefined) // last: a question that fails at once must find its retry listening
    return merge(due$, retries$, begin$).pipe(exhaustMap(() => fetchAll$))
  })
  return session$.pipe(
    switchMap((session) => (session === null ? EMPTY : fetchInSession$)),
    ignoreElements(),
  )
}

function retry(books: Books, some: Iterable<Book>): void {
  for (const book of some) books.dispatch(book, { type: 'retryDue' })
}
