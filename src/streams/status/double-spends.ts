import { EMPTY, catchError, concat, distinctUntilChanged, map, merge, of, switchMap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import {
  conflictConfirmationsOf,
  hasConflict,
  wasReverted,
  type StatusEvent,
  type StatusState,
} from './reduce-status.js'
import { searchAcceptingBlock$, type SearchDeps } from './find-accepting-block.js'

/**
 * Ms for which the inputs must be missing from the UTXO index before they count as spent by another transaction: the
 * notification of the acceptance may follow that of the UTXOs.
 */
const CONFLICT_DELAY = 1_000

export interface DoubleSpendDeps extends SearchDeps {
  /**
   * Whether the UTXO index lacks an input of an own payment whose parent is accepted. Emits only while the index is up
   * to date; completes at once for other transactions.
   */
  readonly isSpent: (transactionId: string) => Observable<boolean>
}

/**
 * Whether another transaction of the chain has spent the inputs of a reverted payment. Once that, or the one that was
 * found in its place, has the requested confirmations, its state is final, unless its own accepting block is found.
 */
export const doubleSpends$ = (
  id: string,
  confirmations: number,
  state$: Observable<StatusState>,
  deps: DoubleSpendDeps,
): Observable<StatusEvent> => merge(inputs$(id, state$, deps), outcome$(id, confirmations, state$, deps))

/** The state of the inputs, while a reverted payment is not accepted. */
const inputs$ = (
  id: string,
  state$: Observable<StatusState>,
  { isSpent, platform }: DoubleSpendDeps,
): Observable<StatusEvent> =>
  state$.pipe(
    map(wasReverted),
    distinctUntilChanged(),
    switchMap((isWatched) => (isWatched ? isSpent(id) : EMPTY)),
    switchMap((isMissing) =>
      isMissing
        ? timer(CONFLICT_DELAY, platform.scheduler).pipe(map(() => ({ type: 'inputsSpent' }) as const))
        : of({ type: 'inputsUnspent' } as const),
    ),
  )

/** Looks for the own accepting block first: its notification may be missing. */
const outcome$ = (
  id: string,
  confirmations: number,
  state$: Observable<StatusState>,
  deps: DoubleSpendDeps,
): Observable<StatusEvent> =>
  state$.pipe(
    map((state) => hasConflict(state) && conflictConfirmationsOf(state) >= confirmations),
    distinctUntilChanged(),
    switchMap((isConfirmed) =>
      isConfirmed
        ? concat(
            searchAcceptingBlock$(id, state$, deps).pipe(map((hash) => ({ type: 'accepted', hash }) as const)),
            of({ type: 'doubleSpent' } as const),
          ).pipe(catchError(() => EMPTY)) // it stays conflicting, until it is accepted or expires
        : EMPTY,
    ),
  )
