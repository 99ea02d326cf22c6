import {
  EMPTY,
  NEVER,
  Subject,
  catchError,
  defer,
  distinctUntilChanged,
  exhaustMap,
  filter,
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
import { ChainError } from '../errors/chain-error.js'
import { shareLatest } from './share-latest.js'

/** `idle`: not asked yet, for want of a connection. `loading`: under way. `success`, `error`: how the latest attempt ended. */
export type RpcQueryStatus = 'idle' | 'loading' | 'success' | 'error'

/** A question to the node, and its latest answer. */
export interface RpcQueryState<T> {
  readonly status: RpcQueryStatus
  /** The latest answer, undefined before the first. A failure leaves it as it is. */
  readonly data: T | undefined
  /** Why the latest attempt failed; null where it did not. */
  readonly error: Error | null
}

export const RPC_QUERY_IDLE: RpcQueryState<never> = { status: 'idle', data: undefined, error: null }

/** Questions to the node that several may ask at once, by key. */
export interface RpcQueryCache {
  /**
   * What `ask` answers: asked while a connection stands, again after each reconnect, every `refetchInterval` ms (0: never)
   * and on `refresh`, but never while an answer is under way. Listeners of one key share the question of the first.
   * Replays the latest state, never errors, completes with `connected$`. The last listener's leaving forgets the answer,
   * and so does another network.
   */
  state$<T>(key: string, ask: () => ObservableInput<T>, refetchInterval: number): Observable<RpcQueryState<T>>
  /** Asks again, if anyone listens. */
  readonly refresh: (key: string) => void
}

export interface RpcQueryDeps {
  /** Whether a connection stands. Replays it. */
  readonly connected$: Observable<boolean>
  /** The network whose node is asked. Replays it, emits only changes. */
  readonly network$: Observable<unknown>
  /** The platform's clock. */
  readonly scheduler: SchedulerLike
}

export function createRpcQueryCache({ connected$, network$, scheduler }: RpcQueryDeps): RpcQueryCache {
  const shared = new Map<string, Observable<RpcQueryState<unknown>>>()
  const refreshed$ = new Subject<string>()

  function open(
    key: string,
    ask: () => ObservableInput<unknown>,
    refetchInterval: number,
  ): Observable<RpcQueryState<unknown>> {
    const due$ = merge(
      of(0),
      refetchInterval > 0 ? interval(refetchInterval, scheduler) : NEVER,
      refreshed$.pipe(filter((refreshed) => refreshed === key)),
    )
    const answers$ = connected$.pipe(
      distinctUntilChanged(),
      switchMap((isConnected) => (isConnected ? due$ : EMPTY)),
      exhaustMap(() => answer$(ask)),
      scan((state, change) => ({ ...state, ...change }), RPC_QUERY_IDLE as RpcQueryState<unknown>),
      startWith(RPC_QUERY_IDLE),
    )
    const state$ = network$.pipe(
      switchMap(() => answers$),
      finalize(() => shared.delete(key)),
      shareLatest(),
    )
    shared.set(key, state$)
    return state$
  }
  return {
    state$: <T>(key: string, ask: () => ObservableInput<T>, refetchInterval: number) =>
      // one key, one question: that the answers are of one type is the word of who chose the key, as with any cache
      defer(() => shared.get(key) ?? open(key, ask, refetchInterval)) as Observable<RpcQueryState<T>>,
    refresh: (key) => refreshed$.next(key),
  }
}

/** One attempt, as the changes it makes to a state. */
function answer$(ask: () => ObservableInput<unknown>): Observable<Partial<RpcQueryState<unknown>>> {
  return defer(ask).pipe(
    map((data) => ({ status: 'success', data, error: null }) as const),
    catchError((cause: unknown) => of({ status: 'error', error: toError(cause) } as const)),
    startWith({ status: 'loading' } as const),
  )
}

const toError = (cause: unknown): Error =>
  cause instanceof Error ? cause : new ChainError('The query failed', { cause, hint: 'See the cause.' })
