import { createTransactionStatus, type FollowTransaction } from '../../streams/status/transaction-status.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { acceptance } from './acceptance.js'
import { scores } from './scores.js'

/** Where transactions stand, followed one by one. */
export const transactionStatus = (core: ChainCore): FollowTransaction =>
  createTransactionStatus({ ...core, ...feature(core, scores), ...feature(core, acceptance) })
