import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { fromHex } from '../../../src/model/hex.js'
import { ecdsaSighash, sighash, type SpentOutput } from '../../../src/model/sighash.js'
import type { Transaction } from '../../../src/model/transaction.js'

/** Whether each input has a valid signature for the spent script, verified independently of the SDK. */
export function signaturesVerify(transaction: Transaction, spent: readonly SpentOutput[]): boolean[] {
  return transaction.inputs.map(({ signatureScript }, index) => {
    const script = spent[index]?.scriptPublicKey.script ?? ''
    if (!/^41[0-9a-f]{128}01$/.test(signatureScript)) return false
    const signature = fromHex(signatureScript.slice(2, -2))
    const key = fromHex(script.slice(2, -2))
    if (!script.startsWith('21')) return schnorr.verify(signature, sighash(transaction, index, spent), key)
    return secp256k1.verify(signature, ecdsaSighash(transaction, index, spent), key, { prehash: false, lowS: true })
  })
}
