import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { storageMass } from '../../../src/model/mass.js'
import { serializePayment } from '../../../src/model/serialized-payment.js'
import { sighash } from '../../../src/model/sighash.js'
import { createTransaction, type Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { signHashes } from '../../../src/sdk/light/sign-hashes.js'
import { signBinding, digestOf, requestHash, type BoundRequest } from '../../../src/x402/binding/binding.js'
import { exactExtra } from '../../../src/x402/binding/offer.js'
import { toSafeJson, keySigner } from '../../../src/x402/client/attempts.js'

export const KEY = '07'.repeat(32)
export const REQUEST: BoundRequest = { method: 'GET', url: 'https://api.example.com/report' }
const payer = keySigner(KEY, 'simnet').address
const payTo = keySigner('08'.repeat(32), 'simnet').address
export const STRANGER = keySigner('09'.repeat(32), 'simnet').address

export const TERMS: PaymentRequirements = {
  ...{ scheme: 'exact', network: 'kaspa:simnet', asset: 'KAS', amount: '50000000', payTo, maxTimeoutSeconds: 60 },
  extra: { paymentFlow: 'upfront', ...exactExtra(payTo, 10) },
}

/** Parts of a payment that a test changes before it is signed. */
export interface PaymentChanges {
  readonly transaction?: Partial<Transaction>
  readonly change?: string
  readonly pays?: bigint
  readonly spends?: bigint
  readonly terms?: Partial<PaymentRequirements>
  readonly request?: BoundRequest
  readonly expiresAt?: string
  readonly bindingKey?: string
  readonly inputs?: number
  /** Of each input. */
  readonly sequence?: bigint
}

/** A payment of one input of 10 KAS, signed by its payer for one request. */
export function signedPayment(changes: PaymentChanges = {}): PaymentPayload {
  const { change = payer, pays = 50_000_000n, spends = 1_000_000_000n, inputs = 1, sequence = 2n ** 64n - 1n } = changes
  const { request = REQUEST, expiresAt = '2099-01-01T00:00:00Z', bindingKey = KEY } = changes
  const accepted = { ...TERMS, ...changes.terms }
  const spent = Array.from({ length: inputs }, () => ({ amount: spends, scriptPublicKey: toScriptPublicKey(payer) }))
  const unsigned = createTransaction({
    inputs: spent.map((_, index) => ({
      ...{ previousOutpoint: { transactionId: '70'.repeat(32), index }, signatureScript: '' },
      ...{ sequence, sigOpCount: 1 },
    })),
    outputs: [
      { value: pays, scriptPublicKey: toScriptPublicKey(payTo) },
      { value: BigInt(inputs) * spends - pays - BigInt(inputs) * 203_600n, scriptPublicKey: toScriptPublicKey(change) },
    ],
    ...changes.transaction,
  })
  const committed = { ...unsigned, mass: storageMass(unsigned, spent) }
  const scripts = signHashes(
    committed.inputs.map((_, index) => sighash(committed, index, spent)),
    KEY,
  )
  const transaction = {
    ...committed,
    inputs: committed.inputs.map((input, index) => ({ ...input, signatureScript: scripts[index]! })),
  }
  const hash = requestHash(request, accepted)
  const authorization = signBinding(
    {
      ...{ network: accepted.network, profile: 'standard-native', transactionId: transactionId(transaction) },
      ...{ paymentOutputIndex: 0, amount: accepted.amount, payTo: accepted.payTo },
      payToScriptPublicKey: String(accepted.extra.payToScriptPublicKey),
      ...{ paymentRequirementsHash: digestOf(accepted), requestHash: hash, inputIndex: 0, expiresAt },
      paymentIdentifier: 'a_payment_of_this_test',
    },
    bindingKey,
  )
  const serialized = serializePayment({
    ...{ network: 'simnet', transaction, spent, replaces: undefined, lookupStart: undefined, change: undefined },
  })
  return {
    x402Version: 2,
    accepted,
    payload: {
      ...{ type: 'exact-transaction', profile: 'standard-native', payerAddress: payer },
      ...{ transaction: toSafeJson(serialized), transactionEncoding: 'kaspa-sdk-safe-json-v2.0.0' },
      ...{ paymentOutputIndex: 0, requestHash: hash, authorization },
    },
    extensions: { 'payment-identifier': { info: { required: true, id: 'a_payment_of_this_test' } } },
  }
}
