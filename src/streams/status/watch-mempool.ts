import {
  EMPTY,
  catchError,
  combineLatest,
  distinctUntilChanged,
  exhaustMap,
  filter,
  map,
  of,
  retry,
  skip,
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

export type MempoolDeps = Pick<NodeLink, 'call' | 'platform'> & {
  /** Whether a connection stands, from now on. */
  readonly connected$: Observable<boolean>
}

/** Looks into the mempool as soon as a connection stands and then now and again, until something has accepted it. */
export function looks$(
  id: string,
  state$: Observable<StatusState>,
  { call, platform, connected$ }: MempoolDeps,
): Observable<StatusEvent> {
  const request = { transactionId: id, includeOrphanPool: false, filterTransactionPool: false }
  const look$ = call('getMempoolEntry', request).pipe(
    map(({ mempoolEntry }): StatusEvent => {
      const inputs = mempoolEntry.transaction.inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint))
      return { type: 'found', inputs }
    }),
    catchError((error: unknown) => (isAbsence(error) ? of({ type: 'absent', at: platform.now() } as const) : EMPTY)),
  )
  return combineLatest([isOpen$(state$), connected$]).pipe(
    switchMap(([isOpen, isConnected]) => (isOpen && isConnected ? timer(0, LOOK_INTERVAL, platform.scheduler) : EMPTY)),
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

/** After each further look that has not found it. */
export const laterLooks$ = (state$: Observable<StatusState>): Observable<unknown> =>
  state$.pipe(
    map(({ missing }) => missing),
    distinctUntilChanged(),
    skip(1),
  )

/**
 * Where it has left the mempool, another that spends the same coins may have taken its place. Where the node does not answer
 * that, it is asked again once it has answered another look.
 */
export const conflicts$ = (
  id: string,
  state$: Observable<StatusState>,
  { call }: MempoolDeps,
): Observable<StatusEvent> =>
  state$.pipe(
    filter(({ phase, missing }) => phase === 'mempool' && missing !== null),
    distinctUntilChanged((a, b) => a.inputs === b.inputs),
    switchMap(({ inputs }) => rival$(inputs, call).pipe(retry({ delay: () => laterLooks$(state$) }))),
    filter((rival): rival is string => rival !== undefined && rival !== id),
    map((by) => ({ type: 'conflicted', by }) as const),
  )

/** The transaction in the mempool that spends one of some coins; undefined where none does. */
const rival$ = (inputs: StatusState['inputs'], call: MempoolDeps['call']): Observable<string | undefined> =>
  call('getMempoolEntries', { includeOrphanPool: false, filterTransactionPool: false }).pipe(
    map(({ mempoolEntries }) =>
      mempoolEntries.find(({ transaction }) =>
        transaction.inputs.some(({ previousOutpoint }) => inputs.includes(toOutpointKey(previousOutpoint))),
      ),
    ),
    map((rival) => rival?.transaction.verboseData?.transactionId),
  )
