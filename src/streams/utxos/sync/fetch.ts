import { EMPTY, Subject, catchError, concat, defer, exhaustMap, ignoreElements, map, merge, mergeMap, of } from 'rxjs'
import { switchMap, takeUntil, tap, timer, type Observable } from 'rxjs'
import { DEFAULT_RETRIES, backoff } from '../../connection/policy.js'
import type { NodeConnection } from '../../../node/port.js'
import type { NodeLink } from '../../session/node-link.js'
import { toRpcError } from '../../to-rpc-error.js'
import { untilScored$, type ScoreDeps } from './scores.js'
import type { AddressSet, Snapshot, UtxoSets } from '../store/store.js'
import { inSteps$ } from '../../../loading/steps.js'

/** The node processes requests of a connection sequentially, and a long response delays notifications. */
const ADDRESSES_PER_REQUEST = 250

/**
 * Fetches the address sets that are due, in chunks, one request at a time. `due$` triggers a check for due sets. A
 * failed chunk is retried with backoff while the session lasts. Never emits or errors.
 */
export function fetchUtxoSets$(
  utxoSets: UtxoSets,
  due$: Observable<void>,
  node: Pick<NodeLink, 'session$' | 'callOn'> & ScoreDeps,
): Observable<never> {
  const { session$, callOn, platform } = node
  const fetchInSession$ = defer(() => {
    const failed$ = new Subject<{ readonly chunk: readonly AddressSet[]; readonly delay: number }>()
    let failures = 0
    retry(utxoSets, utxoSets.all.values()) // sets that failed in an earlier session

    const fetch$ = (chunk: readonly AddressSet[]): Observable<unknown> => {
      for (const set of chunk) utxoSets.dispatch(set, { type: 'fetchStarted' })
      const addresses = chunk.map(({ address }) => address)
      return callOn(METHOD, (connection, options) => utxos$(connection, addresses, options)).pipe(
        switchMap((snapshot) => untilScored$(snapshot, node).pipe(map(() => snapshot))),
        switchMap((snapshot) => inSteps$(utxoSets.prepare(snapshot))),
        tap((snapshot) => {
          failures = 0
          utxoSets.load(chunk, snapshot)
        }),
        catchError((cause: unknown) => {
          failures++
          const error = toRpcError(METHOD, cause)
          for (const set of chunk) utxoSets.dispatch(set, { type: 'fetchFailed', error })
          failed$.next({ chunk, delay: backoff(failures, DEFAULT_RETRIES, platform.random()) })
          return EMPTY
        }),
        takeUntil(utxoSets.overflowed$),
      )
    }
    const fetchAll$: Observable<unknown> = defer(() => {
      const chunk = [...utxoSets.due].slice(0, ADDRESSES_PER_REQUEST)
      return chunk.length === 0 ? EMPTY : concat(fetch$(chunk), fetchAll$)
    })
    const retries$ = failed$.pipe(
      mergeMap(({ chunk, delay }) => timer(delay, platform.scheduler).pipe(tap(() => retry(utxoSets, chunk)))),
    )
    // `of` is last: a request may fail synchronously, and `retries$` has to be subscribed by then
    return merge(due$, retries$, of(undefined)).pipe(exhaustMap(() => fetchAll$))
  })
  return session$.pipe(
    switchMap((session) => (session === null ? EMPTY : fetchInSession$)),
    ignoreElements(),
  )
}

/** UTXOs as columns where the node's port decodes them, else as records. */
const utxos$ = (
  connection: NodeConnection,
  addresses: readonly string[],
  options: { readonly timeout: number },
): Observable<Snapshot> =>
  connection.utxoColumns?.(addresses, options) ??
  connection.call(METHOD, { addresses }, options).pipe(map(({ entries }) => entries))

const METHOD = 'getUtxosByAddresses'

function retry(utxoSets: UtxoSets, addressSets: Iterable<AddressSet>): void {
  for (const set of addressSets) utxoSets.dispatch(set, { type: 'retryDue' })
}
