import { invalidArgument } from '../../errors/chain-error.js'
import { decodeAddress } from '../../model/address.js'
import { isHex } from '../../model/hex.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { isRecord, type WireRecord } from '../decoding/shape.js'
import { NATIVE_SUBNETWORK } from '../../model/transaction.js'

/**
 * Checks one argument before a request is sent, and returns its wire value. Throws `ChainError` (`invalid-argument`)
 * that names the argument: the server responds to many invalid values with an internal error or a plausible wrong
 * result.
 */
export type Check = (value: unknown, name: string, network?: ChainNetwork) => unknown

/** An address of the client's network. */
export const address: Check = (value, name, network) => {
  const { prefix } = decodeAddress(asText(value, name), name)
  if (network !== undefined && prefix !== NETWORKS[network].addressPrefix) {
    throw invalidArgument(name, `"${name}" is an address of another network than ${network}`)
  }
  return value
}

/** A transaction id or a block hash. */
export const hash: Check = (value, name) =>
  isHex(value, 32) ? value : reject(name, 'must be 64 hex digits in lower case')

/** A list of such arguments. The maximum length is set by the server's operator. */
const listOf =
  (check: Check): Check =>
  (value, name, network) =>
    Array.isArray(value)
      ? value.map((item, index) => check(item, `${name}[${index}]`, network))
      : reject(name, 'must be a list')

export const addresses: Check = /*#__PURE__*/ listOf(address)
export const hashes: Check = /*#__PURE__*/ listOf(hash)

/** A calendar day or month, UTC. Impossible dates make some endpoints fail. */
export const dayOrMonth: Check = (value, name) => {
  const text = asText(value, name)
  const isDate = /^\d{4}-\d{2}(-\d{2})?$/.test(text) && toIsoDate(text)?.startsWith(text) === true
  return isDate ? text : reject(name, 'must be an existing day (YYYY-MM-DD) or month (YYYY-MM)')
}

function toIsoDate(text: string): string | undefined {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** An integer from `least` to `most`; a bigint or decimal text is accepted too. */
export const integer =
  (least: bigint, most: bigint): Check =>
  (value, name) => {
    const exact = toExact(value)
    if (exact === undefined || exact < least || exact > most) {
      return reject(name, `must be an integer from ${least} to ${most}`)
    }
    return exact <= MAX_SAFE ? Number(exact) : exact.toString()
  }

const MAX_SAFE = 2n ** 53n - 1n

function toExact(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  const isExact = typeof value === 'string' ? /^\d{1,20}$/.test(value) : Number.isSafeInteger(value)
  return isExact ? BigInt(value as string | number) : undefined
}

/** An integer that the server stores as i64: a time in ms, a blue score. */
export const nonNegative: Check = /*#__PURE__*/ integer(0n, 2n ** 63n - 1n)

export const multipleOf =
  (step: number): Check =>
  (value, name, network) =>
    Number(nonNegative(value, name, network)) % step === 0 ? value : reject(name, `must be a multiple of ${step}`)

/** Times in ms: the server keeps one sample an hour and expects its exact time. */
export const fullHour: Check = /*#__PURE__*/ multipleOf(3_600_000)
export const fullDay: Check = /*#__PURE__*/ multipleOf(86_400_000)

export const oneOf =
  (...allowed: readonly (string | number)[]): Check =>
  (value, name) =>
    allowed.some((item) => item === value) ? value : reject(name, `must be one of ${allowed.join(', ')}`)

export const bool: Check = (value, name) => (typeof value === 'boolean' ? value : reject(name, 'must be true or false'))

/** Optional milliseconds. */
export const time: Check = (value, name) =>
  value === undefined || Number(value) >= 0 ? value : reject(name, 'must be milliseconds from 0')

/** Names of top-level fields, as a list or joined by commas. */
export const fields: Check = (value, name) => {
  const text = Array.isArray(value) ? value.join(',') : value
  return typeof text === 'string' && /^\w+(,\w+)*$/.test(text) ? text : reject(name, 'must be names of fields')
}

/** A range of blue scores. The server finds nothing from 0; genesis accepts nothing, so 1 is equivalent. */
export const blueScores: Check = (value, name, network) => {
  if (!isRecord(value)) return reject(name, 'must be { gte, lt }')
  const gte = nonNegative(value.gte, `${name}.gte`, network)
  return { gte: gte === 0 ? 1 : gte, lt: nonNegative(value.lt, `${name}.lt`, network) }
}

function asText(value: unknown, name: string): string {
  return typeof value === 'string' ? value : reject(name, 'must be text')
}

function reject(name: string, what: string): never {
  throw invalidArgument(name, `"${name}" ${what}`)
}

/**
 * A signed transaction in the server's model. Serialized transactions of this library (`PendingTx.serialize()`) are
 * accepted too: their `value` and `script` are `amount` and `scriptPublicKey` in the server's model.
 */
export const submittedTransaction: Check = (value, name, network) => {
  const transaction = asRecord(value, name)
  const at = (field: string, check: Check, fallback?: unknown) =>
    check(transaction[field] ?? fallback, `${name}.${field}`, network)
  rejectUnsupported(transaction, name)
  return {
    version: at('version', u16),
    inputs: at('inputs', listOf(input)),
    outputs: at('outputs', listOf(output)),
    lockTime: at('lockTime', u64, 0),
    // without it, some servers respond with an error about lengths
    subnetworkId: at('subnetworkId', subnetwork, NATIVE_SUBNETWORK),
  }
}

/** Fields that the server's model does not have, with the values that mean the same as their absence. */
const UNSUPPORTED: Readonly<Record<string, { readonly words: string; readonly empty: readonly unknown[] }>> = {
  payload: { words: 'a payload', empty: [undefined, null, ''] },
  gas: { words: 'gas', empty: [undefined, null, 0, 0n, '0'] },
  computeBudget: { words: 'a compute budget', empty: [undefined, null, 0, 0n, '0'] },
  covenant: { words: 'a covenant', empty: [undefined, null] },
}

/** The server drops fields that it does not know, which would change the id and invalidate the signatures. */
function rejectUnsupported(record: WireRecord, name: string): void {
  for (const [field, { words, empty }] of Object.entries(UNSUPPORTED)) {
    if (empty.includes(record[field])) continue
    const message = `A transaction with ${words} cannot be submitted over REST`
    throw invalidArgument(`${name}.${field}`, message, 'Submit it over RPC.')
  }
}

const input: Check = (value, name, network) => {
  const record = asRecord(value, name)
  rejectUnsupported(record, name)
  const { previousOutpoint, signatureScript, sequence, sigOpCount } = record
  const { transactionId, index } = asRecord(previousOutpoint, `${name}.previousOutpoint`)
  return {
    previousOutpoint: {
      transactionId: hash(transactionId, `${name}.previousOutpoint.transactionId`, network),
      index: u32(index, `${name}.previousOutpoint.index`, network),
    },
    signatureScript: hex(signatureScript, `${name}.signatureScript`, network),
    sequence: u64(sequence, `${name}.sequence`, network),
    sigOpCount: u8(sigOpCount, `${name}.sigOpCount`, network),
  }
}

const output: Check = (value, name, network) => {
  const record = asRecord(value, name)
  rejectUnsupported(record, name)
  const { amount, value: sompi, scriptPublicKey } = record
  const { version, scriptPublicKey: script, script: ours } = asRecord(scriptPublicKey, `${name}.scriptPublicKey`)
  return {
    amount: positive(amount ?? sompi, `${name}.amount`, network),
    scriptPublicKey: {
      version: u16(version, `${name}.scriptPublicKey.version`, network),
      scriptPublicKey: hex(script ?? ours, `${name}.scriptPublicKey.scriptPublicKey`, network),
    },
  }
}

const u8: Check = /*#__PURE__*/ integer(0n, 255n)
const u16: Check = /*#__PURE__*/ integer(0n, 65_535n)
const u32: Check = /*#__PURE__*/ integer(0n, 2n ** 32n - 1n)
const u64: Check = /*#__PURE__*/ integer(0n, 2n ** 64n - 1n)
const positive: Check = /*#__PURE__*/ integer(1n, 2n ** 64n - 1n)

const hex: Check = (value, name) => {
  if (typeof value === 'string' && /^(?:[0-9a-f]{2})*$/.test(value)) return value
  throw invalidArgument(name, `"${name}" must be hex in lower case`)
}

const subnetwork: Check = (value, name) => {
  if (isHex(value, 20)) return value
  throw invalidArgument(name, `"${name}" must be 40 hex digits in lower case`)
}

function asRecord(value: unknown, name: string): WireRecord {
  if (isRecord(value)) return value
  throw invalidArgument(name, `"${name}" must be a record`)
}
