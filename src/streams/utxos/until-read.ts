import { EMPTY, type Observable, filter, firstValueFrom, fromEvent, map, merge, of } from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { ConnectionState } from '../connection/state.js'
import type { StaleReason, UtxoState } from './state.js'

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
}

/** What of a state tells how far it can be trusted. */
export type Progress = Pick<UtxoState, 'addresses' | 'freshness' | 'reason' | 'error'>

type Verdict = 'read' | 'pending' | ChainError

const METHOD = 'getUtxosByAddresses'

/**
 * Resolves once a ledger's state is `read`. Rejects where that is refused or given up: by the node, by the connection's
 * end, by the caller's signal, with the engine. A connection that nobody has asked for yet is waited for.
 */
export async function untilRead(
  state$: Observable<Progress>,
  isRead: (state: Progress) => boolean,
  connection$: Observable<ConnectionState>,
  { signal }: WaitOptions = {},
): Promise<void> {
  const verdict$ = merge(
    state$.pipe(map((state): Verdict => (isRead(state) ? 'read' : (toRefusal(state) ?? 'pending')))),
    connection$.pipe(map(toConnectionVerdict)),
    aborted$(signal),
  )
  const verdict = await firstValueFrom(verdict$.pipe(filter((one) => one !== 'pending')), { defaultValue: disposed() })
  if (verdict !== 'read') throw verdict
}

/** What keeps a ledger from being read, unless someone does something about it. */
const toRefusal = ({ reason, error }: Progress): ChainError | null =>
  reason !== null && REFUSALS.has(reason) ? error : null

const REFUSALS: ReadonlySet<StaleReason> = /*#__PURE__*/ new Set<StaleReason>([
  'subscription-refused',
  'no-utxo-index',
  'fetch-failed',
  'wrong-network',
])

function toConnectionVerdict(state: ConnectionState, index: number): Verdict {
  if (state.status === 'error') return state.error
  return state.status === 'disconnected' && index > 0 ? disconnected() : 'pending'
}

function aborted$(signal: AbortSignal | undefined): Observable<ChainError> {
  if (signal === undefined) return EMPTY
  const abort$: Observable<unknown> = signal.aborted ? of(undefined) : fromEvent(signal, 'abort')
  return abort$.pipe(map((): ChainError => new ChainRpcError(METHOD, signal.reason, { code: 'cancelled' })))
}

const disconnected = (): ChainError =>
  new ChainRpcError(METHOD, new ChainError('The connection was ended before the addresses were read'), {
    code: 'not-connected',
  })

const disposed = (): ChainError => new ChainError('The engine has been disposed of', { code: 'disposed' })
