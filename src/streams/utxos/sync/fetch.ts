import {
  EMPTY,
  Subject,
  catchError,
  concat,
  defer,
  exhaustMap,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  switchMap,
  takeUntil,
  tap,
  timer,
  type Observable,
} from 'rxjs'
import { DEFAULT_RETRIES, backoff } from '../../connection/policy.js'
import type { ChainError } from '../../../errors/chain-error.js'
import type { NodeConnection } from '../../../node/port.js'
import type { NodeLink } from '../../session/node-link.js'
import { toRpcError } from '../../failed-requests.js'
import { untilScored$, type ScoreDeps } from './scores.js'
import type { AddressSet, Snapshot, UtxoSets } from '../store/store.js'
import { inSteps$ } from '../../../loading/steps.js'

/** The node processes requests of a connection sequentially, and a long response delays notifications. */
const ADDRESSES_PER_REQUEST = 250

/** Retries of one address whose response is above `maxFrameSize`, as each ends the connection. Times in ms. */
const TOO_LONG_RETRIES = { ...DEFAULT_RETRIES, baseDelay: 5_000, maxDelay: 600_000 }

/**
 * Fetches the address sets that are due, in chunks, one request at a time. `due$` triggers a check for due sets. A
 * failed chunk is retried with backoff while the session lasts. Where a message above `maxFrameSize` ended the
 * connection, its addresses are requested in chunks of half the size; one address alone is `failed`, also over later
 * connections, and retried with a longer backoff. Never emits or errors.
 */
export function fetchUtxoSets$(
  utxoSets: UtxoSets,
  due$: Observable<void>,
  node: Pick<NodeLink, 'session$' | 'callOn'> & ScoreDeps,
): Observable<never> {
  const { session$, callOn, platform } = node
  const limits = createLimits(platform)
  const fetchInSession$ = defer(() => {
    const failed$ = new Subject<{ readonly chunk: readonly AddressSet[]; readonly delay: number }>()
    let failures = 0
    retry(utxoSets, utxoSets.all.values()) // sets that failed in an earlier session

    const fetch$ = (chunk: readonly AddressSet[]): Observable<unknown> => {
      for (const set of chunk) utxoSets.dispatch(set, { type: 'fetchStarted' })
      const paused = limits.pauseOf(chunk)
      if (paused !== null) {
        for (const set of chunk) utxoSets.dispatch(set, { type: 'fetchFailed', error: paused.error })
        failed$.next({ chunk, delay: paused.delay })
        return EMPTY
      }
      const addresses = chunk.map(({ address }) => address)
      return callOn(METHOD, (connection, options) => utxos$(connection, addresses, options)).pipe(
        switchMap((snapshot) => untilScored$(snapshot, node).pipe(map(() => snapshot))),
        switchMap((snapshot) => inSteps$(utxoSets.prepare(snapshot))),
        tap((snapshot) => {
          failures = 0
          limits.lift(chunk)
          utxoSets.load(chunk, snapshot)
        }),
        catchError((cause: unknown) => {
          failures++
          const error = toRpcError(METHOD, cause)
          if (error.argument === 'maxFrameSize') limits.lower(chunk, error)
          for (const set of chunk) utxoSets.dispatch(set, { type: 'fetchFailed', error })
          failed$.next({ chunk, delay: backoff(failures, DEFAULT_RETRIES, platform.random()) })
          return EMPTY
        }),
        takeUntil(utxoSets.overflowed$),
      )
    }
    const fetchAll$: Observable<unknown> = defer(() => {
      const chunk = limits.nextChunk(utxoSets.due)
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

/** How many addresses may be in a request together with an address, and until when it is not requested. */
interface Limit {
  readonly size: number
  readonly failures: number
  readonly retryAt: number
  readonly error: ChainError
}

function createLimits(platform: ScoreDeps['platform']) {
  const { scheduler } = platform
  const limits = new WeakMap<AddressSet, Limit>()
  return {
    nextChunk: (due: Iterable<AddressSet>): readonly AddressSet[] => {
      const chunk: AddressSet[] = []
      let size = ADDRESSES_PER_REQUEST
      for (const set of due) {
        size = Math.min(size, limits.get(set)?.size ?? size)
        if (chunk.length >= size) break
        chunk.push(set)
      }
      return chunk
    },
    /** The error of a chunk that is not requested now, and the ms until it is; null for others. */
    pauseOf: ([first]: readonly AddressSet[]): { readonly error: ChainError; readonly delay: number } | null => {
      const limit = first && limits.get(first)
      const delay = limit === undefined ? 0 : limit.retryAt - scheduler.now()
      return limit === undefined || delay <= 0 ? null : { error: limit.error, delay }
    },
    lower: (chunk: readonly AddressSet[], error: ChainError): void => {
      for (const set of chunk) {
        const failures = chunk.length > 1 ? 0 : (limits.get(set)?.failures ?? 0) + 1
        const delay = failures === 0 ? 0 : backoff(failures, TOO_LONG_RETRIES, platform.random())
        limits.set(set, { size: Math.ceil(chunk.length / 2), failures, retryAt: scheduler.now() + delay, error })
      }
    },
    /** The size stays: the response was short enough because of it. */
    lift: (chunk: readonly AddressSet[]): void => {
      for (const set of chunk) {
        const limit = limits.get(set)
        if (limit !== undefined && limit.failures > 0) limits.set(set, { ...limit, failures: 0, retryAt: 0 })
      }
    },
  }
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
