import { covenantIdOf } from '../../../model/covenant-id.js'
import type { Transaction } from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { Violation } from '../../../model/transaction-rules/violation.js'

/**
 * Validates the covenant ids of outputs. Either the authorizing input has the same covenant id, or the covenant begins
 * here and its id is the hash of the outpoint of that input and of all outputs that begin it.
 */
export function validateCovenantIds({ inputs, outputs }: Transaction, spent: readonly UtxoEntry[]): Violation {
  const bindings = [...outputs.entries()].flatMap(([index, { covenant, ...output }]) =>
    covenant ? [{ index, ...output, ...covenant }] : [],
  )
  for (const { index, authorizingInput } of bindings)
    if (authorizingInput >= inputs.length)
      return `covenants error: output #${index} covenant authorizing input index ${authorizingInput} is out of bounds`
  for (const { authorizingInput, covenantId } of bindings) {
    const outpoint = inputs[authorizingInput]?.previousOutpoint
    const isContinuation = spent[authorizingInput]?.covenantId === covenantId
    if (outpoint === undefined || isContinuation) continue
    const begun = bindings.filter(
      (other) => other.covenantId === covenantId && other.authorizingInput === authorizingInput,
    )
    if (covenantId !== covenantIdOf(outpoint, begun))
      return `covenants error: input #${authorizingInput} and outputs with covenant id ${covenantId} do not correspond to the expected genesis hashing`
  }
  return undefined
}
