import { isCoinbase } from '../../../model/mass.js'
import type { Violation } from '../../../model/transaction-rules/violation.js'
import type { Transaction } from '../../../model/transaction.js'
import { addressVersionOf } from '../../../model/address.js'
import { notStandard } from '../../../model/transaction-rules/relay.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { countSignatureOperations } from '../../../script/run-script.js'
import { covenantIdOf } from '../../../model/covenant-id.js'
import { GHOSTDAG_K, MAX_COINBASE_SCRIPT } from '../params.js'
import type { KnownTransaction } from '../transaction.js'

/** Context-free rules of coinbase transactions. */
export function validateCoinbase(transaction: Transaction): Violation {
  if (!isCoinbase(transaction)) return undefined
  const { inputs, outputs, mass } = transaction
  if (inputs.length > 0) return `coinbase transaction has ${String(inputs.length)} inputs while none are expected`
  if (mass > 0n) return 'coinbase mass commitment field is not zero'
  const max = GHOSTDAG_K + 2
  if (outputs.length > max)
    return `coinbase transaction has ${String(outputs.length)} outputs while at most ${String(max)} are expected`
  const tooLong = outputs.findIndex(({ scriptPublicKey }) => scriptPublicKey.script.length > 2 * MAX_COINBASE_SCRIPT)
  return tooLong === -1 ? undefined : `script public key of coinbase output #${String(tooLong)} is too long`
}

/** Maximum signature operations of a redeem script. */
const MAX_SIGNATURE_OPERATIONS = 15

/** The standardness rule of inputs; the others are in `model/transaction-rules`. */
export function validateStandardInputs({ transaction, id }: KnownTransaction, spent: readonly UtxoEntry[]): Violation {
  for (const [index, { scriptPublicKey }] of spent.entries()) {
    const version = addressVersionOf(scriptPublicKey)
    if (version === undefined) return notStandard(id, `transaction input ${String(index)}: non-standard script form`)
    if (version !== 'ScriptHash') continue
    const count = countSignatureOperations(transaction.inputs[index]?.signatureScript ?? '')
    if (count > MAX_SIGNATURE_OPERATIONS)
      return notStandard(
        id,
        `transaction input #${String(index)} has ${String(count)} signature operations which is more than the allowed max ` +
          `amount of ${String(MAX_SIGNATURE_OPERATIONS)}`,
      )
  }
  return undefined
}

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
