import type { TransactionInput, TransactionOutput } from '../model/transaction.js'
import type { UtxoEntry } from '../model/utxo.js'
import { ScriptError } from './script-error.js'
import type { SpendingContext } from './spending.js'

/** The input at an index; throws `ScriptError` where there is none, as the functions below do. */
export function inputAt({ transaction: { inputs } }: SpendingContext, index: number): TransactionInput {
  return found(inputs, index, 'input')
}

/** The spent output of the input at an index. */
export function utxoAt({ spent }: SpendingContext, index: number): UtxoEntry {
  return found(spent, index, 'input')
}

export function outputAt({ transaction: { outputs } }: SpendingContext, index: number): TransactionOutput {
  return found(outputs, index, 'output')
}

function found<Item>(items: readonly Item[], index: number, what: 'input' | 'output'): Item {
  const item = items[index]
  if (item !== undefined) return item
  throw new ScriptError(`transaction ${what} ${index} is out of bounds, should be non-negative below ${items.length}`)
}
