import { isCoinbase } from '../../../model/mass.js'
import type { Violation } from '../../../model/transaction-rules/violation.js'
import type { Transaction } from '../../../model/transaction.js'
import { GHOSTDAG_K, MAX_COINBASE_SCRIPT } from '../params.js'

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
