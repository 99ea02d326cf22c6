import { defer, map, switchMap } from 'rxjs'
import type { FindAcceptingBlock } from '../../streams/status/find-accepting-block.js'
import { createTransactionStatus, type FollowTransaction } from '../../streams/status/transaction-status.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { acceptance } from './acceptance.js'
import { submissionOutcomes } from './submission-outcomes.js'
import { scores } from './scores.js'

/** Follows a transaction to its last confirmation. */
export const transactionStatus = (core: ChainCore): FollowTransaction =>
  createTransactionStatus({
    ...core,
    ...feature(core, scores),
    ...feature(core, acceptance),
    ...feature(core, submissionOutcomes),
    connected$: core.session$.pipe(map((session) => session !== null)),
    findAcceptingBlock: loadedFindAcceptingBlock,
    isSpent: (transactionId) =>
      defer(() => import('./utxos.js')).pipe(
        switchMap(({ utxoSets }) => feature(core, utxoSets).isSpent$(transactionId)),
      ),
  })

/** Loaded on demand: most followed transactions were sent recently. A failed load is retried. */
const loadedFindAcceptingBlock: FindAcceptingBlock = (transactionId, call) =>
  defer(() => import('../../streams/status/find-accepting-block.js')).pipe(
    switchMap(({ findAcceptingBlock$ }) => findAcceptingBlock$(transactionId, call)),
  )
