import { addressVersionOf } from '../../../model/address.js'
import { notStandard } from '../../../model/transaction-rules/standard.js'
import type { Violation } from '../../../model/transaction-rules/violation.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { countSignatureOperations } from '../../../script/signature-operations.js'
import type { KnownTransaction } from '../transaction.js'

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
