import { firstViolation, type Violation } from '../model/transaction-rules/violation.js'
import type { Transaction } from '../model/transaction.js'
import type { UtxoEntry } from '../model/utxo.js'
import type { MachineOptions } from './machine.js'
import { runInput, type ScriptFailure } from './run-input.js'
import { toSpendingContext } from './spending.js'

/**
 * Executes the scripts of every input. `spent` are the outputs that the transaction spends, in the order of its inputs.
 */
export function validateScripts(
  transaction: Transaction,
  spent: readonly UtxoEntry[],
  options?: Pick<MachineOptions, 'verify'>,
): Violation {
  const context = toSpendingContext(transaction, spent)
  return firstViolation(
    transaction.inputs.map(({ signatureScript }, index) => () => {
      const { failure } = runInput(context, index, options)
      return failure && scriptViolation(signatureScript, failure)
    }),
  )
}

/** The node's message of a failed script. */
export const scriptViolation = (signatureScript: string, { reason }: Pick<ScriptFailure, 'reason'>): string =>
  signatureScript === ''
    ? `failed to verify empty signature script. Inner error: ${reason}`
    : `failed to verify the signature script: ${reason}`
