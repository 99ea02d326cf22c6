import { endWith, filter, firstValueFrom, map, merge, type Observable } from 'rxjs'
import { ChainError } from '../../../errors/chain-error.js'
import { engineDisposed } from '../../../errors/engine-disposed.js'
import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { ConnectionState } from '../../connection/state.js'
import { METHOD, failureOnExpiry$, type WaitDeps, type WaitOptions } from './wait.js'
import type { StaleReason, UtxoState } from './state.js'

export type Progress = Pick<UtxoState, 'addresses' | 'freshness' | 'reason' | 'error'>

type Outcome = 'ready' | 'pending' | ChainError

/**
 * Resolves once `isReady` accepts the state. Rejects when the node refuses, the connection ends, the caller aborts, the
 * time is over or the engine is disposed. Waits for a connection that has not been opened yet.
 */
export async function untilReady(
  state$: Observable<Progress>,
  isReady: (state: Progress) => boolean,
  deps: WaitDeps,
  wait?: WaitOptions,
): Promise<void> {
  const untilDisposed$ = merge(
    state$.pipe(map((state): Outcome => (isReady(state) ? 'ready' : (toRefusal(state) ?? 'pending')))),
    deps.connection.state$.pipe(map(toConnectionOutcome)),
  ).pipe(endWith<Outcome>(engineDisposed()))
  // a signal that never aborts does not complete
  const outcome$ = merge(untilDisposed$, failureOnExpiry$(deps, wait))
  const outcome = await firstValueFrom(outcome$.pipe(filter((one) => one !== 'pending')))
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

const disconnected = (): ChainError =>
  new ChainRpcError(METHOD, new ChainError('The connection was ended before the addresses were read'), {
    code: 'not-connected',
  })
