import { schnorr } from '@noble/curves/secp256k1.js'
import { admit, type Admission } from '../../../src/devnode/ledger/mempool/admission.js'
import type { Network } from '../../../src/devnode/ledger/network.js'
import { addressOfPublicKey, toScriptPublicKey } from '../../../src/model/address.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import { SIGHASH_TYPES, sighash } from '../../../src/model/sighash.js'
import { NATIVE_SUBNETWORK, type Transaction, type TransactionOutput } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'

/** Someone with a key, who pays. */
export interface Wallet {
  readonly address: string
  sign(transaction: Transaction, spent: readonly UtxoEntry[]): Transaction
  /** A signed payment of whole coins: what the outputs leave is the fee. */
  pay(coins: readonly UtxoEntry[], outputs: readonly Payment[], options?: PayOptions): Transaction
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

/** The wallet of a key made of one byte, repeated. */
export function walletOf(byte: number): Wallet {
  const key = new Uint8Array(32).fill(byte)
  const address = addressOfPublicKey(toHex(schnorr.getPublicKey(key)), 'kaspasim')
  const sign = (transaction: Transaction, spent: readonly UtxoEntry[]): Transaction => ({
    ...transaction,
    inputs: transaction.inputs.map((input, index) => {
      const signature = schnorr.sign(sighash(transaction, index, spent), key, new Uint8Array(32))
      return { ...input, signatureScript: `41${toHex(signature)}0${String(SIGHASH_TYPES.All)}` }
    }),
  })
  return {
    address,
    sign,
    pay: (coins, outputs, options = {}) => sign(unsigned(coins, outputs.map(toOutput), options), coins),
  }
}

export function unsigned(
  coins: readonly UtxoEntry[],
  outputs: readonly TransactionOutput[],
  { sequence = 0n, lockTime = 0n, payload = '' }: PayOptions = {},
): Transaction {
  return {
    version: 0,
    inputs: coins.map(({ outpoint }) => ({ previousOutpoint: outpoint, signatureScript: '', sequence, sigOpCount: 1 })),
    outputs,
    lockTime,
    subnetworkId: NATIVE_SUBNETWORK,
    gas: 0n,
    payload,
    mass: 0n,
  }
}

export const toOutput = ({ to, amount }: Payment): TransactionOutput => ({
  value: amount,
  scriptPublicKey: toScriptPublicKey(to),
})

/** A coin that a transaction makes, for spending it before any block has it. */
export function coinMadeBy(transaction: Transaction, index = 0): UtxoEntry {
  const output = transaction.outputs[index]
  if (output === undefined) throw new RangeError(`There is no output ${String(index)}`)
  const outpoint = { transactionId: transactionId(transaction), index }
  return {
    outpoint,
    amount: output.value,
    scriptPublicKey: output.scriptPublicKey,
    blockDaaScore: 0n,
    isCoinbase: false,
  }
}

/** Coins for an address that are there from the start. */
export function coinsOf(address: string, count: number, amount = 10_000_000_000n): readonly UtxoEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    address,
    outpoint: { transactionId: toHex(fromHex((index + 1).toString(16).padStart(64, '0'))), index: 0 },
    amount,
    scriptPublicKey: toScriptPublicKey(address),
    blockDaaScore: 0n,
    isCoinbase: false,
  }))
}

/** Sends a transaction as `submitTransaction` does. */
export const send = (network: Network, transaction: Transaction): Admission =>
  admit(network, transaction, { rival: 'refuse', missingCoin: 'refuse' })

/** A fee that is above the minimum of every payment here. */
export const FEE = 1_000_000n
