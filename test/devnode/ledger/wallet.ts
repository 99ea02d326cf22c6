import { schnorr } from '@noble/curves/secp256k1.js'
import { admit, type Admission } from '../../../src/devnode/ledger/mempool/admission.js'
import type { Network } from '../../../src/devnode/ledger/network.js'
import { addressOfPublicKey, toScriptPublicKey } from '../../../src/model/address.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import type { AddressPrefix } from '../../../src/model/network.js'
import { SIGHASH_TYPES, sighash } from '../../../src/model/sighash.js'
import { createTransaction, type Transaction, type TransactionOutput } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { signSchnorr } from '../../sign-schnorr.js'

export interface Wallet {
  readonly address: string
  sign(transaction: Transaction, spent: readonly UtxoEntry[]): Transaction
  /** A signed payment; the amount not paid to outputs is the fee. */
  pay(utxos: readonly UtxoEntry[], outputs: readonly Payment[], options?: PayOptions): Transaction
}

export interface Payment {
  readonly to: string
  readonly amount: bigint
}

export interface PayOptions {
  readonly sequence?: bigint
  readonly lockTime?: bigint
  readonly payload?: string
}

/** The simnet wallet of a key made of one byte, repeated. */
export const walletOf = (byte: number): Wallet => walletOfKey(new Uint8Array(32).fill(byte), 'kaspasim')

export function walletOfKey(key: Uint8Array, prefix: AddressPrefix): Wallet {
  const address = addressOfPublicKey(toHex(schnorr.getPublicKey(key)), prefix)
  const sign = (transaction: Transaction, spent: readonly UtxoEntry[]): Transaction => ({
    ...transaction,
    inputs: transaction.inputs.map((input, index) => {
      const signature = signSchnorr(sighash(transaction, index, spent), key)
      return { ...input, signatureScript: `41${toHex(signature)}0${String(SIGHASH_TYPES.All)}` }
    }),
  })
  return {
    address,
    sign,
    pay: (utxos, outputs, options = {}) => sign(unsigned(utxos, outputs.map(toOutput), options), utxos),
  }
}

export function unsigned(
  utxos: readonly UtxoEntry[],
  outputs: readonly TransactionOutput[],
  { sequence = 0n, lockTime = 0n, payload = '' }: PayOptions = {},
): Transaction {
  return createTransaction({
    inputs: utxos.map(({ outpoint }) => ({ previousOutpoint: outpoint, signatureScript: '', sequence, sigOpCount: 1 })),
    outputs,
    lockTime,
    payload,
  })
}

export const toOutput = ({ to, amount }: Payment): TransactionOutput => ({
  value: amount,
  scriptPublicKey: toScriptPublicKey(to),
})

/** The UTXO of an output of an unconfirmed transaction. */
export function utxoCreatedBy(transaction: Transaction, index = 0): UtxoEntry {
  const output = transaction.outputs[index]
  if (output === undefined) throw new RangeError(`There is no output ${String(index)}`)
  const { value, scriptPublicKey, covenant } = output
  return {
    outpoint: { transactionId: transactionId(transaction), index },
    amount: value,
    scriptPublicKey,
    blockDaaScore: 0n,
    isCoinbase: false,
    ...(covenant && { covenantId: covenant.covenantId }),
  }
}

/** Genesis UTXOs of an address. */
export function utxosOf(address: string, count: number, amount = 10_000_000_000n): readonly UtxoEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    address,
    outpoint: { transactionId: toHex(fromHex((index + 1).toString(16).padStart(64, '0'))), index: 0 },
    amount,
    scriptPublicKey: toScriptPublicKey(address),
    blockDaaScore: 0n,
    isCoinbase: false,
  }))
}

/** Submits a transaction as `submitTransaction` does. */
export const send = (network: Network, transaction: Transaction): Admission =>
  admit(network, transaction, { rbf: 'forbidden', missingUtxo: 'reject' })

/** Sompi; above the minimum fee of the payments in these tests. */
export const FEE = 1_000_000n
