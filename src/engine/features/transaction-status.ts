import { loadCode } from '../../loading/load-code.js'
import { defer, map, switchMap, tap, type MonoTypeOperatorFunction } from 'rxjs'
import { lazyModule } from '../../loading/lazy-module.js'
import type { FindAcceptingBlock } from '../../streams/status/find-accepting-block.js'
import { createTransactionStatus, type FollowTransaction } from '../../streams/status/transaction-status.js'
import type { TransactionPhase, TransactionStatus } from '../../streams/status/status.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf, type CoreParts } from '../core-parts.js'
import { feature } from '../feature.js'
import { acceptance } from './acceptance.js'
import { submissionOutcomes } from './submission-outcomes.js'
import { scores } from './scores.js'
import { loadedUtxos$ } from './utxos.js'

/** Follows a transaction to its last confirmation. */
export function transactionStatus(core: ChainCore): FollowTransaction {
  const parts = partsOf(core)
  const follow = createTransactionStatus({
    ...parts,
    ...feature(core, scores),
    ...feature(core, acceptance),
    ...feature(core, submissionOutcomes),
    connected$: parts.session$.pipe(map((session) => session !== null)),
    onFollow: (transactionId, confirmations) => void followOwn(parts, transactionId, confirmations),
    findAcceptingBlock: loadedFindAcceptingBlock,
    isSpent: (transactionId) => loadedUtxos$(parts).pipe(switchMap(({ isSpent$ }) => isSpent$(transactionId))),
  })
  return parts.probe === undefined ? follow : (...request) => follow(...request).pipe(recordPhases(parts))
}

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

export const findAcceptingBlockModule = /*#__PURE__*/ lazyModule(
  () => import('../../streams/status/find-accepting-block.js'),
)

/** Loaded on demand: most followed transactions were sent recently. A failed load is retried. */
const loadedFindAcceptingBlock: FindAcceptingBlock = (transactionId, call) =>
  findAcceptingBlockModule.module$.pipe(
    switchMap(({ findAcceptingBlock$ }) => findAcceptingBlock$(transactionId, call)),
  )
