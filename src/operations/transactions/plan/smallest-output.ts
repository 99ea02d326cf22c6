import { MAX_SOMPI } from '../../../model/amount.js'
import type { StorageTotals } from '../../../model/storage-mass.js'
import type { TransactionOutput } from '../../../model/transaction.js'
import type { FeePolicy } from './fee.js'
import { createFrame, fits, massesOf, type Frame } from './frame.js'
import { settle } from './settle.js'

/**
 * The least that each output must hold for nodes to take the transaction, paid from the same coins: with every smaller
 * output raised to it the storage mass is within the limit, with a sompi less it is not. Where the coins do not hold so
 * much, it takes larger ones, which make up for no storage mass.
 */
export function smallestOutput(frame: Frame, spent: StorageTotals, policy: FeePolicy): bigint {
  const isEnough = (least: bigint): boolean => {
    const raised = createFrame(raise(frame.outputs, least), frame.change, frame)
    const { kind } = settle(raised, spent, policy)
    return kind === 'short' ? fits(massesOf(raised, LARGE_COIN, 0n)) : kind !== 'too-heavy'
  }
  let low = frame.outputs.reduce((least, { value }) => (value < least ? value : least), frame.paid)
  let high = low
  while (!isEnough(high)) high *= 2n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

const LARGE_COIN: StorageTotals = { places: 1n, amount: MAX_SOMPI, harmonic: 0n }

const raise = (outputs: readonly TransactionOutput[], least: bigint): readonly TransactionOutput[] =>
  outputs.map((output) => (output.value < least ? { ...output, value: least } : output))
