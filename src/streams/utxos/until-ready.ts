import { EMPTY, type Observable, filter, firstValueFrom, fromEvent, map, merge, of } from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { ConnectionState } from '../connection/state.js'
import type { StaleReason, UtxoState } from './state.js'

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
}

export type Progress = Pick<UtxoState, 'addresses' | 'freshness' | 'reason' | 'error'>

type Outcome = 'ready' | 'pending' | ChainError

const METHOD = 'getUtxosByAddresses'

/**
 * Resolves once `isReady` accepts the state. Rejects when the node refuses, the connection ends, the caller aborts or
 * the engine is disposed. Waits for a connection that has not been opened yet.
 */
export async function untilReady(
  state$: Observable<Progress>,
  isReady: (state: Progress) => boolean,
  connection$: Observable<ConnectionState>,
  { signal }: WaitOptions = {},
): Promise<void> {
  const outcome$ = merge(
    state$.pipe(map((state): Outcome => (isReady(state) ? 'ready' : (toRefusal(state) ?? 'pending')))),
    connection$.pipe(map(toConnectionOutcome)),
    aborted$(signal),
  )
  const outcome = await firstValueFrom(outcome$.pipe(filter((one) => one !== 'pending')), { defaultValue: disposed() })
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

const disconnected = (): ChainError =>
  new ChainRpcError(METHOD, new ChainError('The connection was ended before the addresses were read'), {
    code: 'not-connected',
  })

const disposed = (): ChainError => new ChainError('The engine has been disposed of', { code: 'disposed' })
