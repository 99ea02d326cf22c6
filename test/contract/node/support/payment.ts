import { schnorr } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey, toScriptPublicKey } from '../../../../src/model/address.js'
import { fromHex, toHex } from '../../../../src/model/hex.js'
import { minimumFee, storageMass } from '../../../../src/model/mass.js'
import type { AddressPrefix } from '../../../../src/model/network.js'
import { sighash } from '../../../../src/model/sighash.js'
import { NATIVE_SUBNETWORK, type Transaction } from '../../../../src/model/transaction.js'
import { transactionId } from '../../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { RpcTransaction } from '../../../../src/node/messages/records.js'

/** Somebody with a key. */
export interface Person {
  readonly privateKey: string
  readonly address: string
}

export function personOf(privateKey: string, prefix: AddressPrefix): Person {
  const publicKeyHex = `02${toHex(schnorr.getPublicKey(fromHex(privateKey)))}`
  return { privateKey, address: addressOfPublicKey(publicKeyHex, prefix) }
}

/** Somebody whom the node has never seen. */
export const stranger = (prefix: AddressPrefix): Person => personOf(toHex(schnorr.utils.randomSecretKey()), prefix)

export interface PaymentPlan {
  readonly from: Person
  readonly coins: readonly UtxoEntry[]
  readonly to: readonly { readonly address: string; readonly amount: bigint }[]
  /** Sompi. @default the node's minimum for this transaction */
  readonly fee?: bigint
  readonly payload?: string
  readonly lockTime?: bigint
}

export interface Payment {
  readonly transactionId: string
  readonly transaction: RpcTransaction
  /** The output that goes back to the payer, as a coin. */
  readonly change: UtxoEntry
}

/** A signed payment of version 0; the change goes back to the payer, as the last output. */
export function createPayment(plan: PaymentPlan): Payment {
  const spent = plan.coins.reduce((sum, { amount }) => sum + amount, 0n)
  const paid = plan.to.reduce((sum, { amount }) => sum + amount, 0n)
  const fee = plan.fee ?? minimumFee(sign(draft(plan, 0n), plan)) // the amounts do not change the fee
  const transaction = sign(draft(plan, spent - paid - fee), plan)
  const id = transactionId(transaction)
  const index = plan.to.length
  return {
    transactionId: id,
    transaction,
    change: {
      address: plan.from.address,
      outpoint: { transactionId: id, index },
      amount: spent - paid - fee,
      scriptPublicKey: toScriptPublicKey(plan.from.address),
      blockDaaScore: 0n,
      isCoinbase: false,
    },
  }
}

/** Signs every input, and states the storage mass that the transaction then has. */
export function sign(transaction: Transaction, { coins, from }: Pick<PaymentPlan, 'coins' | 'from'>): Transaction {
  const inputs = transaction.inputs.map((input, index) => {
    const signature = schnorr.sign(sighash(transaction, index, coins), fromHex(from.privateKey))
    return { ...input, signatureScript: `41${toHex(signature)}01` }
  })
  return {
    ...transaction,
    inputs,
    mass: transaction.outputs.some(({ value }) => value === 0n) ? 0n : storageMass(transaction, coins),
  }
}

function draft({ coins, to, from, payload = '', lockTime = 0n }: PaymentPlan, change: bigint): Transaction {
  const outputs = [...to, { address: from.address, amount: change }]
  return {
    version: 0,
    inputs: coins.map(({ outpoint }) => ({
      previousOutpoint: outpoint,
      signatureScript: '',
      sequence: 0n,
      sigOpCount: 1,
    })),
    outputs: outputs.map(({ address, amount }) => ({ value: amount, scriptPublicKey: toScriptPublicKey(address) })),
    lockTime,
    subnetworkId: NATIVE_SUBNETWORK,
    gas: 0n,
    payload,
    mass: 0n,
  }
}
