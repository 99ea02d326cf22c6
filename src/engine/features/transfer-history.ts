import { catchError, concat, defer, from, of, switchMap, timer, type Observable } from 'rxjs'
import { toChainError } from '../../errors/chain-error.js'
import { loadCode, onceLoaded } from '../../loading/load-code.js'
import { checkHistoryOptions } from '../../streams/transfers/history/check-options.js'
import {
  NO_TRANSFERS,
  type TransferHistory,
  type TransferHistoryOptions,
  type TransferHistoryState,
} from '../../streams/transfers/history/state.js'
import { type ChainCore, partsOf } from '../core-parts.js'

/** Ms after which a failed load is retried. */
const RETRY_AFTER = 5_000

/**
 * Creates histories of addresses, with older pages from the indexer. Their code is loaded with the first subscriber.
 * Throws `ChainError` (`invalid-argument`) for an invalid option.
 */
export const transferHistory =
  (core: ChainCore) =>
  (addresses$: Observable<readonly string[]>, options: TransferHistoryOptions = {}): TransferHistory => {
    checkHistoryOptions(options)
    let history: TransferHistory | undefined
    const load = onceLoaded(async () => {
      const { openTransferHistory } = await loadCode(() => import('../open-transfer-history.js'))
      history = openTransferHistory(partsOf(core), addresses$, options)
      return history
    })
    const failed = (cause: unknown, again$: Observable<TransferHistoryState>): Observable<TransferHistoryState> => {
      const error = toChainError(cause, 'The transfer history could not be opened')
      const retried$ = timer(RETRY_AFTER, partsOf(core).platform.scheduler).pipe(switchMap(() => again$))
      return concat(of({ ...NO_TRANSFERS, error }), retried$)
    }
    return {
      state$: defer(() => from(load())).pipe(
        switchMap(({ state$ }) => state$),
        catchError(failed),
      ),
      loadMore: () => history?.loadMore(),
    }
  }
