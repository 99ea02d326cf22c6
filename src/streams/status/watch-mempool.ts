import {
  EMPTY,
  catchError,
  distinctUntilChanged,
  exhaustMap,
  filter,
  map,
  of,
  switchMap,
  timer,
  type Observable,
} from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { toOutpointKey } from '../../model/utxo.js'
import type { NodeLink } from '../session/node-link.js'
import type { StatusEvent, StatusState } from './reduce-status.js'

/** How often, in ms, the mempool is asked for a transaction that nothing has accepted. */
const LOOK_INTERVAL = 2_000

export type MempoolDeps = Pick<NodeLink, 'call' | 'platform'>

/** Looks into the mempool, at once and then now and again, until something has accepted it. */
export function looks$(
  id: string,
  state$: Observable<StatusState>,
  { call, platform }: MempoolDeps,
): Observable<StatusEvent> {
  const request = { transactionId: id, includeOrphanPool: false, filterTransactionPool: false }
  const look$ = call('getMempoolEntry', request).pipe(
    map(({ mempoolEntry }): StatusEvent => {
      const inputs = mempoolEntry.transaction.inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint))
      return { type: 'found', inputs }
    }),
    catchError((error: unknown) => (isAbsence(error) ? of({ type: 'absent', at: platform.now() } as const) : EMPTY)),
  )
  return isOpen$(state$).pipe(
    switchMap((isOpen) => (isOpen ? timer(0, LOOK_INTERVAL, platform.scheduler) : EMPTY)),
    exhaustMap(() => look$),
  )
}

/** Whether nothing has accepted it. */
export const isOpen$ = (state$: Observable<StatusState>): Observable<boolean> =>
  state$.pipe(
    map(({ acceptedBy }) => acceptedBy === null),
    distinctUntilChanged(),
  )

/** A node refuses to show what it has not. */
const isAbsence = (error: unknown): boolean => error instanceof ChainRpcError && error.code === 'remote'

/** Where it has left the mempool, another that spends the same coins may have taken its place. */
export const conflicts$ = (
  id: string,
  state$: Observable<StatusState>,
  { call }: MempoolDeps,
): Observable<StatusEvent> =>
  state$.pipe(
    filter(({ phase, missing }) => phase === 'mempool' && missing !== null),
    distinctUntilChanged((a, b) => a.inputs === b.inputs),
    switchMap(({ inputs }) =>
      call('getMempoolEntries', { includeOrphanPool: false, filterTransactionPool: false }).pipe(
        map(({ mempoolEntries }) =>
          mempoolEntries.find(({ transaction }) =>
            transaction.inputs.some(({ previousOutpoint }) => inputs.includes(toOutpointKey(previousOutpoint))),
          ),
        ),
        catchError(() => EMPTY), // then it is evicted, in time
      ),
    ),
    map((rival) => rival?.transaction.verboseData?.transactionId),
    filter((rival): rival is string => rival !== undefined && rival !== id),
    map((by) => ({ type: 'conflicted', by }) as const),
  )
