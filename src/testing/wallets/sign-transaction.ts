import { toHex } from '../../model/hex.js'
import { SIGHASH_TYPES, sighash, sighashParts, type SighashType } from '../../model/sighash.js'
import type { FakeAccount } from './account.js'
import { fromSafeTransaction, spentBy, type SafeTransaction } from './safe-transaction.js'

/** An input to sign, with its sighash type. */
export interface InputToSign {
  readonly index: number
  readonly sighashType: SighashType
}

/** Signs inputs with the account's key: a push of 65 bytes, a BIP-340 signature and the sighash type. */
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

/** Every input, with sighash type All. */
export const everyInput = ({ inputs }: SafeTransaction): InputToSign[] =>
  inputs.map((_, index) => ({ index, sighashType: SIGHASH_TYPES.All }))

/** The inputs that spend a P2PK output of the account's key. */
export const ownInputs = (safe: SafeTransaction, { publicKey }: FakeAccount): InputToSign[] =>
  everyInput(safe).filter(({ index }) => safe.inputs[index]?.utxo.scriptPublicKey === `000020${publicKey.slice(2)}ac`)
