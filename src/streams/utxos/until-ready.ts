import { EMPTY, type Observable, filter, firstValueFrom, fromEvent, map, merge, of, timer, withLatestFrom } from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { engineDisposed } from '../../errors/engine-disposed.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { Platform } from '../../platform/port.js'
import type { ConnectionState } from '../connection/state.js'
import type { StaleReason, UtxoState } from './state.js'
import type { WaitOptions } from './wait-options.js'

export interface WaitDeps {
  readonly connection: { readonly state$: Observable<ConnectionState> }
  readonly platform: Pick<Platform, 'scheduler'>
}

export type Progress = Pick<UtxoState, 'addresses' | 'freshness' | 'reason' | 'error'>

type Outcome = 'ready' | 'pending' | ChainError

const METHOD = 'getUtxosByAddresses'

/**
 * Resolves once `isReady` accepts the state. Rejects when the node refuses, the connection ends, the caller aborts, the
 * time is over or the engine is disposed. Waits for a connection that has not been opened yet.
 */
export async function untilReady(
  state$: Observable<Progress>,
  isReady: (state: Progress) => boolean,
  { connection, platform }: WaitDeps,
  { signal, timeout = Infinity }: WaitOptions = {},
): Promise<void> {
  const outcome$ = merge(
    state$.pipe(map((state): Outcome => (isReady(state) ? 'ready' : (toRefusal(state) ?? 'pending')))),
    connection.state$.pipe(map(toConnectionOutcome)),
    aborted$(signal),
    timedOut$(timeout, connection.state$, platform),
  )
  const outcome = await firstValueFrom(outcome$.pipe(filter((one) => one !== 'pending')), {
    defaultValue: engineDisposed(),
  })
  if (outcome !== 'ready') throw outcome
}

/** An error that does not resolve itself. */
const toRefusal = ({ reason, error }: Progress): ChainError | null =>
  reason !== null && REFUSALS.has(reason) ? error : null

const REFUSALS: ReadonlySet<StaleReason> = /*#__PURE__*/ new Set<StaleReason>([
  'subscription-refused',
  'no-utxo-index',
  'fetch-failed',
  'wrong-network',
])

function toConnectionOutcome(state: ConnectionState, index: number): Outcome {
  if (state.status === 'error') return state.error
  return state.status === 'disconnected' && index > 0 ? disconnected() : 'pending'
}

function aborted$(signal: AbortSignal | undefined): Observable<ChainError> {
  if (signal === undefined) return EMPTY
  const abort$: Observable<unknown> = signal.aborted ? of(undefined) : fromEvent(signal, 'abort')
  return abort$.pipe(map((): ChainError => new ChainRpcError(METHOD, signal.reason, { code: 'aborted' })))
}

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

const disconnected = (): ChainError =>
  new ChainRpcError(METHOD, new ChainError('The connection was ended before the addresses were read'), {
    code: 'not-connected',
  })
