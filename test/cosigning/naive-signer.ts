import { schnorr } from '@noble/curves/secp256k1.js'
import { fromHex, toHex } from '../../src/model/hex.js'
import { type Pskt, psktTransaction } from '../../src/model/pskb/records.js'
import { sighash, type SighashType } from '../../src/model/sighash.js'
import type { Transaction } from '../../src/model/transaction.js'
import { toFinalScript } from '../../src/operations/cosigning/verify-signature.js'

/** A private key with its compressed public key, hex. */
export interface NaiveKey {
  readonly privateKey: string
  readonly publicKey: string
}

/** What a cosigner signs that believes the text: every input, of any type, for the amounts that it states. */
export function signNaively(pskt: Pskt, keys: readonly NaiveKey[]): readonly ReadonlyMap<string, string>[] {
  const transaction = unsigned(toNaive(pskt))
  const spent = pskt.inputs.map(({ utxoEntry }) => utxoEntry!)
  return pskt.inputs.map(({ sighashType }, at) => {
    const hash = sighash(transaction, at, spent, sighashType as SighashType)
    return new Map(
      keys.map(({ privateKey, publicKey }) => [
        publicKey,
        `${toHex(schnorr.sign(hash, fromHex(privateKey)))}${sighashType.toString(16).padStart(2, '0')}`,
      ]),
    )
  })
}

/** The transaction with the signatures of each input in the order of the keys of its script. */
export function finalizeNaively(
  pskt: Pskt,
  signatures: readonly ReadonlyMap<string, string>[],
  { publicKeys, redeemScript }: { readonly publicKeys: readonly string[]; readonly redeemScript: string },
): Transaction {
  const transaction = toNaive(pskt)
  return {
    ...transaction,
    inputs: transaction.inputs.map((input, at) => {
      const inOrder = publicKeys.flatMap((key) => signatures[at]!.get(key) ?? [])
      const pushes = inOrder.map((signature) => `41${signature}`).join('')
      return { ...input, signatureScript: pushes + toFinalScript([], redeemScript) }
    }),
  }
}

/** As the crate computes it: the greatest `minTime` is the lock time. */
const toNaive = (pskt: Pskt): Transaction => ({
  ...psktTransaction(pskt),
  lockTime: pskt.inputs.reduce((most, { minTime }) => (minTime !== null && minTime > most ? minTime : most), 0n),
})

const unsigned = (transaction: Transaction): Transaction => ({
  ...transaction,
  inputs: transaction.inputs.map((input) => ({ ...input, signatureScript: '' })),
})
