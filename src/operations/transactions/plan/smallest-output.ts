import type { TransactionOutput } from '../../../model/transaction.js'
import { computeChange } from './change.js'
import type { FeePolicy } from './fee.js'
import { LARGE_UTXO } from './split-outputs.js'
import { createTemplate, fits, massesOf, type SpentTotals, type TransactionTemplate } from './template.js'

/**
 * The smallest amount of each output for which nodes relay the transaction, paid from the same UTXOs: with every
 * smaller output raised to it the storage mass is within the limit, with one sompi less it is not. Where the UTXOs do
 * not cover that, larger ones are assumed, which offset no storage mass.
 */
export function smallestOutput(
  template: TransactionTemplate,
  spent: SpentTotals,
  policy: FeePolicy,
  withOutputs = (outputs: readonly TransactionOutput[]) => createTemplate(outputs, template.change, template),
): bigint {
  const isEnough = (least: bigint): boolean => {
    const raised = withOutputs(raise(template.outputs, least))
    const { kind } = computeChange(raised, spent, policy)
    return kind === 'insufficient' ? fits(massesOf(raised, LARGE_UTXO, 0n)) : kind !== 'mass-exceeded'
  }
  let low = template.outputs.reduce((least, { value }) => (value < least ? value : least), template.paid)
  let high = low
  while (!isEnough(high)) high *= 2n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

const raise = (outputs: readonly TransactionOutput[], least: bigint): readonly TransactionOutput[] =>
  outputs.map((output) => (output.value < least ? { ...output, value: least } : output))
