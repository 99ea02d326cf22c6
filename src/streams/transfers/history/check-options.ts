import { invalidArgument, refuseUnknown } from '../../../errors/chain-error.js'
import type { TransferHistoryOptions } from './state.js'

/** Throws `ChainError` (`invalid-argument`) for an unknown option or an impossible value. */
export function checkHistoryOptions(options: TransferHistoryOptions): void {
  refuseUnknown(options, ['limit', 'indexer', 'mempoolInterval'])
  const { limit = 1, mempoolInterval = 0 } = options
  if (!Number.isInteger(limit) || limit < 1)
    throw invalidArgument('limit', `"limit" is ${limit}: give a whole number from 1`)
  if (!(mempoolInterval >= 0))
    throw invalidArgument('mempoolInterval', `"mempoolInterval" is ${mempoolInterval}: give a number from 0`)
}
