import { invalidArgument } from '../../errors/chain-error.js'
import { decodeAddress } from '../../model/address.js'
import { isHex } from '../../model/hex.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { isRecord } from '../decoding/shape.js'

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
export const listOf =
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
