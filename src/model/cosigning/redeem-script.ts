import { blake2b256 } from '../hashing.js'
import { fromHex, toHex } from '../hex.js'
import type { ScriptPublicKey } from '../utxo.js'

/** Opcodes: the number n is `OP_0 + n` for 1 to 16. */
const OP_0 = 0x50
const CHECK_MULTISIG = { schnorr: 'ae', ecdsa: 'a9' } as const

/** The bytes of a signature in a signature script: push, 64 bytes, type. */
export const SIGNATURE_BYTES = 66

/**
 * The script that `threshold` of the keys satisfy: M, the keys, N, and the check. `keys` are compressed, hex, in the
 * order of the account; the Schnorr check takes them without their parity.
 */
export function redeemScriptOf(threshold: number, keys: readonly string[], isEcdsa: boolean): string {
  const pushes = keys.map((key) => (isEcdsa ? `21${key}` : `20${key.slice(2)}`))
  const check = isEcdsa ? CHECK_MULTISIG.ecdsa : CHECK_MULTISIG.schnorr
  return [smallNumber(threshold), ...pushes, smallNumber(keys.length), check].join('')
}

const smallNumber = (value: number): string => (OP_0 + value).toString(16)

/** The locking script that pays to a redeem script, by its hash. */
export const payToScript = (redeemScript: string): ScriptPublicKey => ({
  version: 0,
  script: `aa20${toHex(blake2b256(fromHex(redeemScript)))}87`,
})

/** The bytes of the signature script that spends a redeem script: the signatures, and one push of the script. */
export function spendingBytes(threshold: number, redeemScript: string): number {
  const bytes = redeemScript.length / 2
  const prefix = bytes <= 75 ? 1 : bytes <= 255 ? 2 : 3
  return threshold * SIGNATURE_BYTES + prefix + bytes
}
