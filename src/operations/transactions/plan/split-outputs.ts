import { MAX_SOMPI } from '../../../model/amount.js'
import type { TransactionOutput } from '../../../model/transaction.js'
import { createTemplate, fits, massesOf, type SpentTotals, type TransactionTemplate } from './template.js'

/** Offsets no storage mass: the inputs of a payment may do little more, whatever their number. */
export const LARGE_UTXO: SpentTotals = { plurality: 1n, amount: MAX_SOMPI, harmonic: 0n, inputs: 1n }

/** How the outputs of a payment could be divided. */
export interface OutputSplit {
  /** How many of the outputs, in their order, fit one transaction. */
  readonly first: number
  /** How many transactions pay all of them in their order; undefined where one of them fits none. */
  readonly transactions: number | undefined
}

/** Divides outputs into as few transactions as their order allows. */
export function splitOutputs({ outputs, change, payload, input }: TransactionTemplate): OutputSplit {
  const isPayable = (some: readonly TransactionOutput[]): boolean =>
    fits(massesOf(createTemplate(some, change, { payload, input }), LARGE_UTXO, 0n))
  const first = countFitting(outputs, isPayable)
  let transactions = 1
  for (let paid = first; paid < outputs.length; transactions++) {
    const next = countFitting(outputs.slice(paid), isPayable)
    if (next === 0) return { first, transactions: undefined }
    paid += next
  }
  return { first, transactions: first === 0 ? undefined : transactions }
}

/** The length of the longest prefix that fits: masses rise with each output. */
function countFitting(
  outputs: readonly TransactionOutput[],
  isPayable: (some: readonly TransactionOutput[]) => boolean,
): number {
  let [low, high] = [0, outputs.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isPayable(outputs.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}
