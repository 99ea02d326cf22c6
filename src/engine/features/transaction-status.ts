import { defer, map, switchMap } from 'rxjs'
import type { LookBack } from '../../streams/status/look-back.js'
import { createTransactionStatus, type FollowTransaction } from '../../streams/status/transaction-status.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { acceptance } from './acceptance.js'
import { ends } from './ends.js'
import { scores } from './scores.js'

/** Follows a transaction to its last confirmation. */
export const transactionStatus = (core: ChainCore): FollowTransaction =>
  createTransactionStatus({
    ...core,
    ...feature(core, scores),
    ...feature(core, acceptance),
    ...feature(core, ends),
    connected$: core.session$.pipe(map((session) => session !== null)),
    lookBack: lookBackOnceLoaded,
  })

/** Most of what is followed has only just been sent: what looks back is fetched for the rest. Without it, it is asked for again. */
const lookBackOnceLoaded: LookBack = (transactionId, call) =>
  defer(() => import('../../streams/status/look-back.js')).pipe(
    switchMap(({ lookBack$ }) => lookBack$(transactionId, call)),
  )
