import { EMPTY, map, merge, mergeMap, throwError, timer, withLatestFrom, type Observable } from 'rxjs'
import { ChainError } from '../../../errors/chain-error.js'
import { ChainRpcError } from '../../../errors/rpc-error.js'
import { abort$ } from '../../../loading/abortable.js'
import type { Platform } from '../../../platform/port.js'
import type { ConnectionState } from '../../connection/state.js'

/** How long a caller waits. */
export interface WaitOptions {
  /** Ends the wait with `ChainRpcError` (`aborted`). */
  readonly signal?: AbortSignal | undefined
  /** Ms from the call until it rejects with `ChainRpcError` (`timeout`), connecting included. @default Infinity */
  readonly timeout?: number | undefined
}

export interface WaitDeps {
  readonly connection: { readonly state$: Observable<ConnectionState> }
  readonly platform: Pick<Platform, 'scheduler'>
}

/** The method in the errors of those who wait for UTXOs. */
export const METHOD = 'getUtxosByAddresses'

/** Emits the failure of a wait that is aborted, or over. */
export const failureOnExpiry$ = (
  { connection, platform }: WaitDeps,
  { signal, timeout = Infinity }: WaitOptions = {},
): Observable<ChainError> => merge(aborted$(signal), timedOut$(timeout, connection.state$, platform))

/** The same as an error. */
export const expired$ = (deps: WaitDeps, wait?: WaitOptions): Observable<never> =>
  failureOnExpiry$(deps, wait).pipe(mergeMap((failure) => throwError(() => failure)))

const aborted$ = (signal: AbortSignal | undefined): Observable<ChainError> =>
  abort$(signal).pipe(map((reason): ChainError => new ChainRpcError(METHOD, reason, { code: 'aborted' })))

/** Emits at the end of the time, with the reason where there was no connection. */
const timedOut$ = (
  timeout: number,
  connection$: Observable<ConnectionState>,
  { scheduler }: Pick<Platform, 'scheduler'>,
): Observable<ChainError> =>
  timeout === Infinity
    ? EMPTY
    : timer(timeout, scheduler).pipe(
        withLatestFrom(connection$),
        map(([, { status, error }]): ChainError => {
          const what =
            status === 'connected' ? 'The node did not return the UTXOs' : 'There was no connection to a node'
          const cause = new ChainError(`${what} within ${timeout} ms`, error === null ? {} : { cause: error })
          return new ChainRpcError(METHOD, cause, { code: 'timeout', hint: error?.hint })
        }),
      )
