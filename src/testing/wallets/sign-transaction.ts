import { toHex } from '../../model/hex.js'
import { SIGHASH_TYPES, sighash, sighashParts, type SighashType } from '../../model/sighash.js'
import type { FakeAccount } from './account.js'
import { fromSafeTransaction, spentBy, type SafeTransaction } from './safe-transaction.js'

/** An input that is to be signed, and what its signature covers. */
export interface InputToSign {
  readonly index: number
  readonly sighashType: SighashType
}

/** Signs inputs with the account's key: the push of 65 bytes, a BIP-340 signature and the byte that says what it covers. */
export function signTransaction(
  safe: SafeTransaction,
  account: FakeAccount,
  toSign: readonly InputToSign[],
): SafeTransaction {
  const transaction = fromSafeTransaction(safe)
  const spent = spentBy(safe)
  const parts = sighashParts(transaction)
  const types = new Map(toSign.map(({ index, sighashType }) => [index, sighashType]))
  const inputs = safe.inputs.map((input, index) => {
    const type = types.get(index)
    if (type === undefined) return input
    const signature = account.signHash(sighash(transaction, index, spent, type, parts))
    return { ...input, signatureScript: `41${signature}${toHex(Uint8Array.of(type))}` }
  })
  return { ...safe, inputs }
}

/** Every input, each signature covering everything. */
export const everyInput = ({ inputs }: SafeTransaction): InputToSign[] =>
  inputs.map((_, index) => ({ index, sighashType: SIGHASH_TYPES.All }))

/** Those of them that spend what was paid to the account's key itself, and not to a script. */
export const ownInputs = (safe: SafeTransaction, { publicKey }: FakeAccount): InputToSign[] =>
  everyInput(safe).filter(({ index }) => safe.inputs[index]?.utxo.scriptPublicKey === `000020${publicKey.slice(2)}ac`)
