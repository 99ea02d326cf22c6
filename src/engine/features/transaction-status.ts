import {
  ReplaySubject,
  catchError,
  defer,
  map,
  of,
  share,
  switchMap,
  takeUntil,
  tap,
  type MonoTypeOperatorFunction,
} from 'rxjs'
import { toChainError } from '../../errors/chain-error.js'
import { loadCode } from '../../loading/load-code.js'
import { lazyModule } from '../../loading/lazy-methods.js'
import type { FollowTransaction } from '../../streams/status/transaction-status.js'
import type { TransactionPhase, TransactionStatus } from '../../streams/status/status.js'
import { type ChainCore, partsOf, type CoreParts, feature } from '../core-parts.js'
import { acceptance } from './acceptance.js'
import { submissionOutcomes } from './own-payments.js'
import { scores } from './node.js'
import { loadedUtxos$ } from './utxos.js'

/** Follows a transaction to its last confirmation. Its code is loaded by the first subscription. */
export function transactionStatus(core: ChainCore): FollowTransaction {
  const parts = partsOf(core)
  const deps = {
    ...parts,
    ...feature(core, scores),
    ...feature(core, acceptance),
    ...feature(core, submissionOutcomes),
    isSynced$: parts.server$.pipe(map(({ isSynced }) => isSynced)),
    connected$: parts.session$.pipe(map((session) => session !== null)),
    onFollow: (id: string, confirmations: number) => void followOwn(parts, id, confirmations),
    isSpent: (id: string) => loadedUtxos$(parts).pipe(switchMap(({ isSpent$ }) => isSpent$(id))),
  }
  const follow: FollowTransaction = (transactionId, options) =>
    statusesModule.module$.pipe(
      map(({ createTransactionStatus, findAcceptingBlock$: findAcceptingBlock }) =>
        createTransactionStatus({ ...deps, findAcceptingBlock }),
      ),
      switchMap((followLoaded) => followLoaded(transactionId, options)),
      catchError((cause: unknown) => of(notLoaded(transactionId, cause))),
      takeUntil(parts.ended$),
      share({ connector: () => new ReplaySubject(1), resetOnComplete: false }),
    )
  return parts.probe === undefined ? follow : (...request) => follow(...request).pipe(recordPhases(parts))
}

/** The status where the code cannot be fetched. The next call loads it again. */
const notLoaded = (transactionId: string, cause: unknown): TransactionStatus => ({
  transactionId,
  status: 'unknown',
  acceptingBlockHash: null,
  confirmations: 0,
  error: toChainError(cause, 'The transaction cannot be followed'),
})

/** Records each phase of a followed transaction, once per subscriber. */
function recordPhases({ probe, platform }: CoreParts): MonoTypeOperatorFunction<TransactionStatus> {
  return (status$) =>
    defer(() => {
      let last: TransactionPhase | undefined
      return status$.pipe(
        tap(({ status: phase, transactionId }) => {
          if (phase !== last) probe?.record({ at: platform.now(), type: 'payment', phase, transactionId })
          last = phase
        }),
      )
    })
}

/** Own payments keep their inputs reserved for as long. Their code is loaded already where there are any. */
async function followOwn(core: CoreParts, transactionId: string, confirmations: number): Promise<void> {
  try {
    const { unconfirmed } = await loadCode(() => import('./unconfirmed.js'))
    feature(core, unconfirmed).followed(transactionId, confirmations)
  } catch (error) {
    core.options.logger.warn('The confirmations of a followed payment do not count for its reservation', { error })
  }
}

export const statusesModule = /*#__PURE__*/ lazyModule(() => import('../../streams/status/statuses.js'))
