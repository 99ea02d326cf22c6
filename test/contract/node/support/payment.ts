import { schnorr } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey, toScriptPublicKey } from '../../../../src/model/address.js'
import { fromHex, toHex } from '../../../../src/model/hex.js'
import { minimumFee, storageMass } from '../../../../src/model/mass.js'
import type { AddressPrefix } from '../../../../src/model/network.js'
import { sighash } from '../../../../src/model/sighash.js'
import { createTransaction, type Transaction } from '../../../../src/model/transaction.js'
import { transactionId } from '../../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { RpcTransaction } from '../../../../src/node/messages/records.js'
import { signSchnorr } from '../../../sign-schnorr.js'

/** A private key with its address. */
export interface Account {
  readonly privateKey: string
  readonly address: string
}

export function accountOf(privateKey: string, prefix: AddressPrefix): Account {
  const publicKeyHex = `02${toHex(schnorr.getPublicKey(fromHex(privateKey)))}`
  return { privateKey, address: addressOfPublicKey(publicKeyHex, prefix) }
}

/** An account unknown to the node. */
export const newAccount = (prefix: AddressPrefix): Account => accountOf(toHex(schnorr.utils.randomSecretKey()), prefix)

export interface PaymentPlan {
  readonly from: Account
  readonly utxos: readonly UtxoEntry[]
  readonly to: readonly { readonly address: string; readonly amount: bigint }[]
  /** Sompi. @default the node's minimum for this transaction */
  readonly fee?: bigint
  readonly payload?: string
  readonly lockTime?: bigint
}

export interface Payment {
  readonly transactionId: string
  readonly transaction: RpcTransaction
  /** The change output as a UTXO entry. */
  readonly change: UtxoEntry
}

/** A signed payment of version 0; the change is the last output. */
export function createPayment(plan: PaymentPlan): Payment {
  const spent = plan.utxos.reduce((sum, { amount }) => sum + amount, 0n)
  const paid = plan.to.reduce((sum, { amount }) => sum + amount, 0n)
  // the size decides, not the amounts
  const fee = plan.fee ?? minimumFee(signBy(() => new Uint8Array(64), draft(plan, 0n), plan))
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

type Signed = Pick<PaymentPlan, 'utxos' | 'from'>

/** Signs every input and sets the storage mass. */
export const sign = (transaction: Transaction, signed: Signed): Transaction => signBy(signSchnorr, transaction, signed)

function signBy(signer: typeof signSchnorr, transaction: Transaction, { utxos, from }: Signed): Transaction {
  const inputs = transaction.inputs.map((input, index) => {
    const signature = signer(sighash(transaction, index, utxos), fromHex(from.privateKey))
    return { ...input, signatureScript: `41${toHex(signature)}01` }
  })
  return {
    ...transaction,
    inputs,
    mass: transaction.outputs.some(({ value }) => value === 0n) ? 0n : storageMass(transaction, utxos),
  }
}

function draft({ utxos, to, from, payload = '', lockTime = 0n }: PaymentPlan, change: bigint): Transaction {
  const outputs = [...to, { address: from.address, amount: change }]
  return createTransaction({
    inputs: utxos.map(({ outpoint }) => ({
      previousOutpoint: outpoint,
      signatureScript: '',
      sequence: 0n,
      sigOpCount: 1,
    })),
    outputs: outputs.map(({ address, amount }) => ({ value: amount, scriptPublicKey: toScriptPublicKey(address) })),
    lockTime,
    payload,
  })
}
