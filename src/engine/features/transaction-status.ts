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
  })
