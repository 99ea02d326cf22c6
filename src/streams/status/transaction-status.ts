import { Observable, distinctUntilChanged, map, takeWhile } from 'rxjs'
import { createMachine } from '../machine.js'
import type { NodeLink } from '../session/node-link.js'
import { shareLatest } from '../share-latest.js'
import { events$, type FollowDeps } from './follow-transaction.js'
import { confirmationsOf, notSeen, reduceStatus, type StatusEvent, type StatusState } from './reduce-status.js'
import type { TransactionStatus, TransactionStatusOptions } from './status.js'

/**
 * Where a transaction stands, followed from the mempool to its last confirmation. Shared by the subscribers of one call; a
 * late one gets the latest at once. Emits only changes, never errors: a bad end is a status with an `error`. Completes at
 * `confirmations`, at a bad end, or with the engine. A reorg may take an accepted one back to `mempool`.
 * Source: the virtual chain's acceptance, and the mempool while nothing has accepted it.
 */
export type FollowTransaction = (
  transactionId: string,
  options?: TransactionStatusOptions,
) => Observable<TransactionStatus>

export const createTransactionStatus =
  (deps: FollowDeps & Pick<NodeLink, 'ended$'>): FollowTransaction =>
  (transactionId, { confirmations = 10, timeout = 600_000 } = {}) =>
    states$(transactionId, timeout, deps).pipe(
      map((state) => toStatus(transactionId, state)),
      distinctUntilChanged(isSameStatus),
      takeWhile(
        (status) => status.error === null && !(status.status === 'accepted' && status.confirmations >= confirmations),
        true,
      ),
      shareLatest(deps.ended$),
    )

const states$ = (id: string, timeout: number, deps: FollowDeps): Observable<StatusState> =>
  new Observable((subscriber) => {
    const machine = createMachine<StatusState, StatusEvent>(notSeen(deps.platform.now()), (state, event) =>
      reduceStatus(state, event, timeout),
    )
    subscriber.add(machine.state$.subscribe(subscriber))
    subscriber.add(events$(id, machine.state$, deps).subscribe((event) => machine.dispatch(event)))
  })

const toStatus = (transactionId: string, state: StatusState): TransactionStatus => ({
  transactionId,
  status: state.phase,
  acceptingBlockHash: state.acceptedBy?.hash ?? null,
  confirmations: confirmationsOf(state),
  error: state.error,
})

const isSameStatus = (a: TransactionStatus, b: TransactionStatus): boolean =>
  a.status === b.status && a.acceptingBlockHash === b.acceptingBlockHash && a.confirmations === b.confirmations
