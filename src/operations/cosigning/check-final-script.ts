import { payToScript } from '../../model/cosigning/redeem-script.js'
import { ecdsaSighash, sighash, SIGHASH_TYPES, type SighashParts, type SpentOutput } from '../../model/sighash.js'
import type { Transaction } from '../../model/transaction.js'
import { signaturesOfFinalScript, toFinalScript, isValidSignature } from './verify-signature.js'

/** A redeem script: M, x-only or compressed keys, N, and the check of all of them. */
const REDEEM_SCRIPT = /^5([1-9a-f])((?:20[0-9a-f]{64}){2,15}|(?:21[0-9a-f]{66}){2,15})5([1-9a-f])(ae|a9)$/

/** Hex digits of the opcode and length before the push of a redeem script. */
const PREFIXES = [2, 4, 6]

/**
 * Whether a signature script is final for an output of several signers: M valid signatures of all, in the order of the
 * keys, and the one push of the redeem script that its hash names. Nodes execute the same; the script machine is not
 * needed for it.
 */
export function isFinalScript(
  transaction: Transaction,
  index: number,
  spent: readonly SpentOutput[],
  parts: SighashParts,
): boolean {
  const { signatureScript: script = '', sigOpCount } = transaction.inputs[index] ?? {}
  const found = signaturesOfFinalScript(script)
  const signatures = found.map(({ signature }) => signature)
  const rest = script.slice(signatures.length * 132)
  const redeemScript = PREFIXES.map((at) => rest.slice(at)).find((each) => toFinalScript(signatures, each) === script)
  const [, threshold = '', pushes = '', count = '', check] = REDEEM_SCRIPT.exec(redeemScript ?? '') ?? []
  if (redeemScript === undefined || payToScript(redeemScript).script !== spent[index]?.scriptPublicKey.script)
    return false
  const isEcdsa = check === 'a9'
  const keys = isEcdsa ? pushes.match(/.{68}/g) : pushes.match(/.{66}/g)
  if (keys?.length !== parseInt(count, 16) || sigOpCount !== keys.length) return false
  if (signatures.length !== parseInt(threshold, 16) || pushes.startsWith('21') !== isEcdsa) return false
  const hash = (isEcdsa ? ecdsaSighash : sighash)(transaction, index, spent, SIGHASH_TYPES.All, parts)
  return areInOrder(signatures, keys, (signature, key) =>
    isValidSignature(signature, hash, isEcdsa ? key.slice(2) : `02${key.slice(2)}`, isEcdsa),
  )
}

/** Whether each signature is that of a key, in the order of the keys. */
function areInOrder(
  signatures: readonly string[],
  keys: readonly string[],
  isOf: (signature: string, key: string) => boolean,
): boolean {
  let at = 0
  return signatures.every((signature) => {
    while (at < keys.length) {
      const key = keys[at++]
      if (key !== undefined && isOf(signature, key)) return true
    }
    return false
  })
}
