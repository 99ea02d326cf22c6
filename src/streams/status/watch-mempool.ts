import {
  EMPTY,
  catchError,
  combineLatest,
  distinctUntilChanged,
  exhaustMap,
  filter,
  map,
  retry,
  skip,
  switchMap,
  take,
  timer,
  type Observable,
} from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { toOutpointKey } from '../../model/utxo.js'
import type { NodeLink } from '../session/node-link.js'
import { acceptedByOf, missingOf, type StatusEvent, type StatusState } from './reduce-status.js'

/** How often, in ms, the mempool is read for a transaction that is not accepted. */
const READ_INTERVAL = 2_000

export type MempoolDeps = Pick<NodeLink, 'call' | 'platform'> & {
  /** Whether there is a connection. Replays it. */
  readonly connected$: Observable<boolean>
  /**
   * Whether the node has caught up with its network. One that has not has an empty mempool, and its chain moves through
   * blocks of the past. Replays it.
   */
  readonly isSynced$: Observable<boolean>
}

/** Reads the mempool on connecting and every `READ_INTERVAL`, while the transaction is not accepted. */
export function mempoolReads$(
  id: string,
  state$: Observable<StatusState>,
  { call, platform, connected$, isSynced$ }: MempoolDeps,
): Observable<StatusEvent> {
  const request = { transactionId: id, includeOrphanPool: false, filterTransactionPool: false }
  const absent$ = isSynced$.pipe(
    take(1),
    filter((isSynced) => isSynced),
    map((): StatusEvent => ({ type: 'absent', at: platform.now() })),
  )
  const read$ = call('getMempoolEntry', request).pipe(
    map(({ mempoolEntry }): StatusEvent => {
      const inputs = mempoolEntry.transaction.inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint))
      return { type: 'found', inputs }
    }),
    catchError((error: unknown) => (isNotFound(error) ? absent$ : EMPTY)),
  )
  return combineLatest([isUnaccepted$(state$), connected$]).pipe(
    switchMap(([isUnaccepted, isConnected]) =>
      isUnaccepted && isConnected ? timer(0, READ_INTERVAL, platform.scheduler) : EMPTY,
    ),
    exhaustMap(() => read$),
  )
}

/** Whether it is not accepted. */
export const isUnaccepted$ = (state$: Observable<StatusState>): Observable<boolean> =>
  state$.pipe(
    map((state) => acceptedByOf(state) === null),
    distinctUntilChanged(),
  )

/** A node responds with an error for an unknown transaction. */
const isNotFound = (error: unknown): boolean => error instanceof ChainRpcError && error.code === 'remote'

/** Emits after each further read that did not find it. */
export const laterReads$ = (state$: Observable<StatusState>): Observable<unknown> =>
  state$.pipe(map(missingOf), distinctUntilChanged(), skip(1))

/**
 * If it has left the mempool, another transaction that spends the same outpoints may have replaced it. If the node does
 * not respond, retries after the next read.
 */
export const conflicts$ = (
  id: string,
  state$: Observable<StatusState>,
  { call }: MempoolDeps,
): Observable<StatusEvent> =>
  state$.pipe(
    filter((state) => state.phase === 'mempool' && state.missing !== null),
    distinctUntilChanged((a, b) => a.inputs === b.inputs),
    switchMap(({ inputs }) => conflictingId$(inputs, call).pipe(retry({ delay: () => laterReads$(state$) }))),
    filter((conflicting): conflicting is string => conflicting !== undefined && conflicting !== id),
    map((by) => ({ type: 'conflicted', by }) as const),
  )

/** The transaction in the mempool that spends one of the outpoints; undefined if there is none. */
const conflictingId$ = (inputs: StatusState['inputs'], call: MempoolDeps['call']): Observable<string | undefined> =>
  call('getMempoolEntries', { includeOrphanPool: false, filterTransactionPool: false }).pipe(
    map(({ mempoolEntries }) =>
      mempoolEntries.find(({ transaction }) =>
        transaction.inputs.some(({ previousOutpoint }) => inputs.includes(toOutpointKey(previousOutpoint))),
      ),
    ),
    map((conflicting) => conflicting?.transaction.verboseData?.transactionId),
  )
