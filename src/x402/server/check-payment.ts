import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { finish, type Steps } from '../../loading/steps.js'
import { addressVersionOf, isValidAddress, toScriptPublicKey } from '../../model/address.js'
import {
  SEQUENCE_LOCK_DISABLED,
  SEQUENCE_LOCK_MASK,
  NATIVE_SUBNETWORK,
  type Transaction,
} from '../../model/transaction.js'
import type { ChainNetwork } from '../../model/network.js'
import { isRecord, toStableJson } from '../../model/lossless-json.js'
import type { SpentOutput } from '../../model/sighash.js'
import { toScriptKey } from '../../model/utxo.js'
import {
  checkFields,
  firstUnsigned,
  type VerifiedTransaction,
} from '../../operations/transactions/verify-transaction.js'
import {
  readSafeJson,
  UnreadableTransaction,
  type ReadTransaction,
} from '../../operations/transactions/read-safe-json.js'
import {
  isBoundBy,
  type BindingFields,
  digestOf,
  readPayload,
  type ExactPayload,
  requestHash,
  type BoundRequest,
} from '../binding/binding.js'
import { ASSET, BINDING, FLOW, PROFILE, SCHEME, serializeScript, toX402Network } from '../binding/offer.js'
import { isRefusal, refuse, type Refusal } from './refusal.js'

/** The rules of a facilitator. */
export interface PaymentRules {
  readonly network: ChainNetwork
  /** Sompi. */
  readonly maxFee: bigint
  readonly maxInputs: number
}

/** The request of the caller, or its hash where another process has computed it. */
export type RequestIdentity = { readonly request: BoundRequest } | { readonly requestHash: string }

export interface CheckedPayment {
  readonly verified: VerifiedTransaction
  readonly transactionText: string
  readonly requestHash: string
  /** SHA-256 of the whole payment. */
  readonly payloadHash: string
  /** The address of the input that signed. */
  readonly payer: string
  readonly amount: bigint
  readonly payTo: string
  /** Unix ms. */
  readonly expiresAt: number
}

/** Characters of a payment as JSON, at most. */
const MAX_SIZE = 65_536

/**
 * Checks everything about a payment that needs no node: its form, that it pays this offer exactly and for this request,
 * and all signatures over the outputs that it names. Whether these exist is not known then. Never throws.
 */
export const checkPayment = (...given: Parameters<typeof checkSteps>): CheckedPayment | Refusal =>
  finish(checkSteps(...given))

/**
 * The same in steps. The first has all that is cheap (0.2 ms): size, offer, request, outputs, masses and fee; each
 * other one verifies a signature (2 ms). `known` finds a payment that was checked before by the same rules.
 */
export function* checkSteps(
  payment: PaymentPayload,
  requirements: PaymentRequirements,
  identity: RequestIdentity,
  rules: PaymentRules,
  known: (payloadHash: string, requestHash: string) => CheckedPayment | undefined = () => undefined,
): Steps<CheckedPayment | Refusal> {
  const text = textOf(payment)
  if (text === undefined || text.length > MAX_SIZE)
    return refuse('invalid_payload', 'The payment is too large, or no JSON')
  const offer = checkOffer(payment, requirements, rules.network)
  if (offer !== undefined) return offer
  const payload = readPayload(payment)
  if (payload === undefined) return refuse('invalid_payload', 'The payment is not of the binding kaspa-exact-v2')
  const hash = 'request' in identity ? requestHash(identity.request, requirements) : identity.requestHash
  if (payload.requestHash !== hash) return refuse('request_mismatch', 'The payment was signed for another request')
  const payloadHash = digestOf(text) // with the accepted offer, which is this one
  const before = known(payloadHash, hash)
  if (before !== undefined) return before
  const verified = checkTransaction(payload, requirements, rules)
  if (isRefusal(verified)) return verified
  yield
  if (!isBound(verified, payload, requirements, hash))
    return refuse('payer_mismatch', 'The payer did not sign this binding')
  const unsigned = yield* firstUnsigned(verified)
  if (unsigned !== -1) return refuse('unsigned', `The signature of input ${unsigned} is not that of its key`)
  return {
    verified,
    transactionText: payload.transaction,
    requestHash: hash,
    payloadHash,
    payer: verified.addresses[payload.authorization.inputIndex] ?? '',
    amount: BigInt(requirements.amount),
    payTo: requirements.payTo,
    expiresAt: Date.parse(payload.authorization.expiresAt),
  }
}

/** Whether a new settlement may begin: expiry does not end one that has begun. */
export function checkExpiry(expiresAt: number, maxTimeoutSeconds: number, now: number): Refusal | undefined {
  if (expiresAt <= now) return refuse('expired', 'The payment has expired')
  return expiresAt > now + maxTimeoutSeconds * 1_000
    ? refuse('expiry_too_late', 'The payment expires later than the offer allows')
    : undefined
}

function checkOffer(
  { x402Version, accepted }: PaymentPayload,
  requirements: PaymentRequirements,
  network: ChainNetwork,
): Refusal | undefined {
  if (x402Version !== 2 || !isRecord(accepted)) return refuse('invalid_payload', 'The payment is not of x402 version 2')
  const { extra } = requirements
  const isExact = requirements.scheme === SCHEME && extra.binding === BINDING && extra.profile === PROFILE
  if (!isExact || extra.paymentFlow !== FLOW) return refuse('unsupported_scheme', 'Only exact payments are settled')
  if (requirements.network !== toX402Network(network)) return refuse('invalid_network', `This is ${network}`)
  if (requirements.asset !== ASSET) return refuse('invalid_asset', 'Only KAS is settled')
  if (!/^[1-9]\d{0,18}$/.test(requirements.amount)) return refuse('invalid_amount', 'The amount is no sompi')
  if (!isValidAddress(requirements.payTo, network))
    return refuse('invalid_network', 'payTo is no address of the network')
  const terms = stableText(requirements)
  if (terms === undefined || stableText(accepted) !== terms)
    return refuse('requirements_mismatch', 'The payer accepted other terms')
  return undefined
}

/** The transaction as it would be, were it signed. */
function checkTransaction(
  payload: ExactPayload,
  requirements: PaymentRequirements,
  { network, maxInputs, maxFee }: PaymentRules,
): VerifiedTransaction | Refusal {
  const read = readTransaction(payload, maxInputs)
  if (isRefusal(read)) return read
  const shape = checkShape(read, payload, requirements)
  if (shape !== undefined) return shape
  if (read.spent?.[payload.authorization.inputIndex] === undefined)
    return refuse('payer_mismatch', 'There is no input of the signer')
  const checked = checkFields(payload.transaction, { network, maxInputs })
  if (!checked.isValid) return refuse('invalid_transaction', checked.message)
  return checked.fee > maxFee ? refuse('fee_too_high', `The fee is above ${maxFee} sompi`) : checked
}

function readTransaction({ transaction }: ExactPayload, maxInputs: number): ReadTransaction | Refusal {
  try {
    return readSafeJson(JSON.parse(transaction), { maxInputs, maxOutputs: 2 })
  } catch (error) {
    if (error instanceof UnreadableTransaction)
      return /^There are \d+ inputs/.test(error.message)
        ? refuse('too_many_inputs', error.message)
        : refuse('invalid_transaction', error.message)
    if (error instanceof SyntaxError) return refuse('invalid_transaction', 'The transaction is no JSON')
    throw error
  }
}

/** Version 0, native, nothing but public keys of the payer, the amount, and the change. */
function checkShape(
  { transaction, spent }: ReadTransaction,
  { paymentOutputIndex }: ExactPayload,
  { amount, payTo }: PaymentRequirements,
): Refusal | undefined {
  if (!isPlain(transaction)) return refuse('invalid_transaction', 'It has a payload, a lock, gas or a covenant')
  if (spent === undefined || spent.length === 0) return refuse('invalid_utxo', 'It does not name what it spends')
  if (!spent.every(isKeyOutput)) return refuse('invalid_utxo', 'It spends other outputs than those of public keys')
  const paid = toScriptKey(toScriptPublicKey(payTo))
  const paying = transaction.outputs.filter(({ scriptPublicKey }) => toScriptKey(scriptPublicKey) === paid)
  const output = transaction.outputs[paymentOutputIndex]
  if (output === undefined || paying.length !== 1 || output !== paying[0])
    return refuse('invalid_outputs', 'Exactly one output pays "payTo"')
  if (output.value !== BigInt(amount)) return refuse('invalid_amount', `The output pays ${output.value}, not ${amount}`)
  const payers = new Set(spent.map(({ scriptPublicKey }) => toScriptKey(scriptPublicKey)))
  const change = transaction.outputs.find((other) => other !== output)
  if (change !== undefined && !payers.has(toScriptKey(change.scriptPublicKey)))
    return refuse('invalid_outputs', 'The second output does not return to the payer')
  return undefined
}

const isPlain = ({ version, lockTime, gas, payload, subnetworkId, outputs, inputs }: Transaction): boolean =>
  version === 0 &&
  lockTime === 0n &&
  gas === 0n &&
  payload === '' &&
  subnetworkId === NATIVE_SUBNETWORK &&
  outputs.every(({ covenant }) => covenant === undefined) &&
  inputs.every(
    ({ sigOpCount, computeBudget, sequence }) =>
      sigOpCount === 1 && computeBudget === undefined && !hasRelativeLock(sequence),
  )

/** No node takes such an input before its lock has passed: the request would wait for it. */
const hasRelativeLock = (sequence: bigint): boolean =>
  sequence < SEQUENCE_LOCK_DISABLED && (sequence & SEQUENCE_LOCK_MASK) > 0n

const isKeyOutput = ({ scriptPublicKey }: SpentOutput): boolean => addressVersionOf(scriptPublicKey) === 'PubKey'

function isBound(
  { id, spent }: VerifiedTransaction,
  { authorization, paymentIdentifier, paymentOutputIndex }: ExactPayload & { readonly paymentIdentifier: string },
  requirements: PaymentRequirements,
  hash: string,
): boolean {
  const { amount, payTo, network } = requirements
  const fields: BindingFields = {
    network,
    profile: PROFILE,
    transactionId: id,
    paymentOutputIndex,
    amount,
    payTo,
    payToScriptPublicKey: serializeScript(toScriptPublicKey(payTo)),
    paymentRequirementsHash: digestOf(requirements),
    requestHash: hash,
    paymentIdentifier,
    inputIndex: authorization.inputIndex,
    expiresAt: authorization.expiresAt,
  }
  const script = spent[authorization.inputIndex]?.scriptPublicKey.script ?? ''
  return isBoundBy(authorization, fields, script.slice(2, -2))
}

/** Canonical, so that equal payments have equal hashes; undefined where it is no JSON, or nested without end. */
function textOf(payment: unknown): string | undefined {
  try {
    return stableText(JSON.parse(JSON.stringify(payment)))
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

/** Undefined for what no JSON holds, such as the number that `1e999` is read as. */
function stableText(value: unknown): string | undefined {
  try {
    return toStableJson(value)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
