import { Observable, ReplaySubject, distinctUntilChanged, map, of, share, takeUntil, takeWhile } from 'rxjs'
import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { isHex } from '../../model/hex.js'
import { createMachine } from '../machine.js'
import type { NodeLink } from '../session/node-link.js'
import { events$, type FollowDeps, type FollowOptions } from './follow-transaction.js'
import {
  NOT_SEEN,
  acceptedByOf,
  confirmationsOf,
  errorOf,
  isOver,
  reduceStatus,
  type StatusState,
} from './reduce-status.js'
import type { TransactionStatus, TransactionStatusOptions } from './status.js'

/**
 * The status of a transaction, from the mempool to the requested confirmations. Hot, and shared by the subscribers of
 * one call: the first starts it, later ones get the latest status, also after completion. Emits only changes; a reorg
 * may revert `accepted` to `mempool`. Never errors: a failure is a status with an `error`, and so is an invalid id or
 * option (`invalid-argument`, without any request). Completes at `confirmations`, on a final failure, or with the
 * engine. Source: the acceptance changes of the virtual chain, and the mempool while it is not accepted.
 */
export type FollowTransaction = (
  transactionId: string,
  options?: TransactionStatusOptions,
) => Observable<TransactionStatus>

export interface TransactionStatusDeps extends FollowDeps, Pick<NodeLink, 'ended$'> {
  /** Reports that a transaction is followed. */
  readonly onFollow: (transactionId: string, confirmations: number) => void
}

export const createTransactionStatus =
  (deps: TransactionStatusDeps): FollowTransaction =>
  (transactionId, { confirmations = 10, timeout = 600_000, ...others } = {}) => {
    const id = transactionId.toLowerCase()
    const error = toArgumentError(id, { confirmations, timeout }, others)
    if (error !== undefined) return of({ ...toStatus(transactionId, NOT_SEEN), error })
    deps.onFollow(id, confirmations)
    return states$(id, { confirmations, timeout }, deps).pipe(
      takeWhile((state) => !isDone(state, confirmations), true),
      map((state) => toStatus(id, state)),
      distinctUntilChanged(isSameStatus),
      takeUntil(deps.ended$),
      share({ connector: () => new ReplaySubject(1), resetOnComplete: false }), // some failures are notified only once
    )
  }

const states$ = (id: string, options: FollowOptions, deps: FollowDeps): Observable<StatusState> =>
  new Observable((subscriber) => {
    const machine = createMachine(NOT_SEEN, reduceStatus)
    subscriber.add(machine.state$.subscribe(subscriber))
    subscriber.add(events$(id, options, machine.state$, deps).subscribe((event) => machine.dispatch(event)))
  })

/** The error of an invalid argument; otherwise undefined. */
function toArgumentError(
  transactionId: string,
  counts: Readonly<Record<string, number>>,
  others: object,
): ChainError | undefined {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return invalidArgument(unknown, `There is no option "${unknown}"`)
  if (!isHex(transactionId, 32))
    return invalidArgument('transactionId', 'The transaction id is malformed', 'Give 64 hex digits.')
  const [name, count] = Object.entries(counts).find(([, given]) => !(given >= 0)) ?? []
  return name === undefined ? undefined : invalidArgument(name, `"${name}" is ${count}: give a number from 0`)
}

const toStatus = (transactionId: string, state: StatusState): TransactionStatus => ({
  transactionId,
  status: state.phase,
  acceptingBlockHash: acceptedByOf(state)?.hash ?? null,
  confirmations: confirmationsOf(state),
  error: errorOf(state),
})

const isDone = (state: StatusState, confirmations: number): boolean =>
  isOver(state) || (state.phase === 'accepted' && confirmationsOf(state) >= confirmations)

const isSameStatus = (a: TransactionStatus, b: TransactionStatus): boolean =>
  a.status === b.status &&
  a.acceptingBlockHash === b.acceptingBlockHash &&
  a.confirmations === b.confirmations &&
  a.error === b.error
