import { toScriptPublicKey } from '../../../model/address.js'
import { blake2b256 } from '../../../model/hashing.js'
import { toHex } from '../../../model/hex.js'
import { NATIVE_SUBNETWORK } from '../../../model/transaction.js'
import { transactionId } from '../../../model/transaction-id.js'
import { fromSafeTransaction, toSafeScript, type SafeTransaction } from '../safe-transaction.js'

/** A payment. Amounts in sompi. */
export interface FakePayment {
  readonly from: string
  readonly outputs: readonly { readonly address: string; readonly amount: bigint }[]
  /** Beyond what the node requires. */
  readonly fee: bigint
  /** Hex. */
  readonly payload: string
}

const CHANGE = 5_000_000_000n

/**
 * An unsigned transaction for a payment, with one made-up input and a change output. `nonce` distinguishes equal
 * payments.
 */
export function toPaymentTransaction({ from, outputs, fee, payload }: FakePayment, nonce: number): SafeTransaction {
  const own = toSafeScript(toScriptPublicKey(from))
  const amount = outputs.reduce((sum, output) => sum + output.amount, 0n)
  const unsigned = {
    version: 0,
    inputs: [
      {
        transactionId: toHex(blake2b256(new TextEncoder().encode(`${from} ${nonce}`))),
        index: 0,
        sequence: '0',
        sigOpCount: 1,
        signatureScript: '',
        utxo: { amount: String(amount + fee + CHANGE), scriptPublicKey: own },
      },
    ],
    outputs: [
      ...outputs.map((output) => ({
        value: String(output.amount),
        scriptPublicKey: toSafeScript(toScriptPublicKey(output.address)),
      })),
      { value: String(CHANGE), scriptPublicKey: own },
    ],
    lockTime: '0',
    gas: '0',
    subnetworkId: NATIVE_SUBNETWORK,
    payload,
  }
  return { id: transactionId(fromSafeTransaction(unsigned)), ...unsigned }
}
