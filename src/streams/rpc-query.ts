import {
  EMPTY,
  NEVER,
  Subject,
  catchError,
  defer,
  distinctUntilChanged,
  exhaustMap,
  filter,
  from,
  finalize,
  interval,
  map,
  merge,
  of,
  scan,
  startWith,
  switchMap,
  type Observable,
  type ObservableInput,
  type SchedulerLike,
} from 'rxjs'
import { toChainError, type ChainError } from '../errors/chain-error.js'
import { shareLatest } from './share-latest.js'

/**
 * `idle`: not sent yet, for lack of a connection. `loading`: in flight. `success`, `error`: the outcome of the latest
 * attempt.
 */
export type RpcQueryStatus = 'idle' | 'loading' | 'success' | 'error'

/** A query and its latest result. */
export interface RpcQueryState<T> {
  readonly status: RpcQueryStatus
  /** The latest result, undefined before the first. A failure keeps it. */
  readonly data: T | undefined
  /** Why the latest attempt failed; otherwise null. */
  readonly error: ChainError | null
}

export const RPC_QUERY_IDLE: RpcQueryState<never> = { status: 'idle', data: undefined, error: null }

/** A query to the node. `signal` aborts when its result is no longer wanted. */
export type Query<T> = (options: { readonly signal: AbortSignal }) => ObservableInput<T>

/** Queries shared by key. */
export interface RpcQueryCache {
  /**
   * The result of `query`: called once connected, after each reconnect, every `refetchInterval` ms (0: never) and on
   * `refresh`, but not while a call is in flight. Subscribers of one key share the query of the first. Replays the
   * latest state, never errors, completes with `connected$`. The result is dropped with the last subscriber and on
   * another network.
   */
  state$<T>(key: string, query: Query<T>, refetchInterval: number): Observable<RpcQueryState<T>>
  /** Queries again if the key has subscribers. */
  readonly refresh: (key: string) => void
}

export interface RpcQueryDeps {
  /** Whether there is a connection. Replays it. */
  readonly connected$: Observable<boolean>
  /** The network. Replays it, emits only changes. */
  readonly network$: Observable<unknown>
  /** The platform's clock. */
  readonly scheduler: SchedulerLike
}

export function createRpcQueryCache({ connected$, network$, scheduler }: RpcQueryDeps): RpcQueryCache {
  const shared = new Map<string, Observable<RpcQueryState<unknown>>>()
  const refreshed$ = new Subject<string>()

  function open(key: string, query: Query<unknown>, refetchInterval: number): Observable<RpcQueryState<unknown>> {
    const due$ = merge(
      of(0),
      refetchInterval > 0 ? interval(refetchInterval, scheduler) : NEVER,
      refreshed$.pipe(filter((refreshed) => refreshed === key)),
    )
    const states$ = connected$.pipe(
      distinctUntilChanged(),
      switchMap((isConnected) => (isConnected ? due$ : EMPTY)),
      exhaustMap(() => attempt$(query)),
      scan((state, change) => ({ ...state, ...change }), RPC_QUERY_IDLE as RpcQueryState<unknown>),
      startWith(RPC_QUERY_IDLE),
    )
    const state$ = network$.pipe(
      switchMap(() => states$),
      finalize(() => shared.delete(key)),
      shareLatest(),
    )
    shared.set(key, state$)
    return state$
  }
  return {
    state$: <T>(key: string, query: Query<T>, refetchInterval: number) =>
      // callers use one result type per key
      defer(() => shared.get(key) ?? open(key, query, refetchInterval)) as Observable<RpcQueryState<T>>,
    refresh: (key) => refreshed$.next(key),
  }
}

/** One attempt, as changes of the state. */
function attempt$(query: Query<unknown>): Observable<Partial<RpcQueryState<unknown>>> {
  return defer(() => {
    const controller = new AbortController()
    return from(query(controller)).pipe(finalize(() => controller.abort()))
  }).pipe(
    map((data) => ({ status: 'success', data, error: null }) as const),
    catchError((cause: unknown) => of({ status: 'error', error: toChainError(cause, 'The query failed') } as const)),
    startWith({ status: 'loading' } as const),
  )
}
