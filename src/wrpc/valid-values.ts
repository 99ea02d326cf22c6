import { invalidArgument } from '../errors/chain-error.js'
import { isHex } from '../model/hex.js'
import { isIp } from '../model/ip.js'
import type { Scalar, ScalarValues } from '../node/messages/shape.js'
import { MAX_SOMPI } from '../model/amount.js'
import { MalformedFrame } from './wire-errors.js'

/** Patterns of wire strings. */

export const NETWORK_TYPE = /^(?:mainnet|testnet|devnet|simnet)$/
export const NETWORK_ID = /^(?:mainnet|testnet|devnet|simnet)(?:-\d{1,9})?$/
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Validates a value before it is encoded.
 * Throws `ChainError` (`invalid-argument`) with the field and the expected type.
 */
export function checkScalar(scalar: Scalar, value: unknown, field: string): void {
  const rule = RULES[scalar]
  if (!rule.isValid(value)) throw invalidArgument(field, `"${field}" is not ${rule.expected}`)
}

interface Rule {
  readonly isValid: (value: unknown) => boolean
  readonly expected: string
}

const MAX_U64 = 0xffffffffffffffffn

function integer(bits: number): Rule {
  const limit = 2 ** bits
  return {
    isValid: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < limit,
    expected: `a whole number of ${bits} bits`,
  }
}

function hex(length: number): Rule {
  return { isValid: (value) => isHex(value, length), expected: `${2 * length} hex digits` }
}

function matching(pattern: RegExp, expected: string): Rule {
  return { isValid: (value) => typeof value === 'string' && pattern.test(value), expected }
}

const number: Rule = { isValid: (value) => typeof value === 'number', expected: 'a number' }
const u64: Rule = {
  isValid: (value) => typeof value === 'bigint' && value >= 0n && value <= MAX_U64,
  expected: 'a bigint of 64 bits',
}
const text: Rule = { isValid: (value) => typeof value === 'string', expected: 'text' }
const bytes: Rule = { isValid: (value) => isHex(value), expected: 'hex' }

const RULES: Readonly<Record<Scalar, Rule>> = {
  u8: /*#__PURE__*/ integer(8),
  u16: /*#__PURE__*/ integer(16),
  u32: /*#__PURE__*/ integer(32),
  u64,
  sompi: u64,
  score: u64,
  time: u64,
  count: u64,
  i64: {
    isValid: (value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value,
    expected: 'a signed bigint of 64 bits',
  },
  f32: number,
  f64: number,
  measure: number,
  bool: { isValid: (value) => typeof value === 'boolean', expected: 'a boolean' },
  text,
  hash: /*#__PURE__*/ hex(32),
  bytes,
  byteList: bytes,
  subnetworkId: /*#__PURE__*/ hex(20),
  blueWork: /*#__PURE__*/ hex(24),
  scriptPublicKey: { isValid: isScript, expected: 'a version and a script in hex' },
  address: text,
  networkType: /*#__PURE__*/ matching(NETWORK_TYPE, 'a type of network'),
  networkId: /*#__PURE__*/ matching(NETWORK_ID, 'the id of a network'),
  ip: { isValid: isIp, expected: 'an IP address' },
  uuid: /*#__PURE__*/ matching(UUID, 'a UUID'),
}

function isScript(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('version' in value) || !('script' in value)) return false
  return Number.isInteger(value.version) && isHex(value.script)
}

/** A record's fields by name. */
export type Fieldset = Readonly<Record<string, unknown>>

/** The value as a record. Throws `ChainError` (`invalid-argument`) if it is none. */
export function asRecord(value: unknown, field: string): Fieldset {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidArgument(field, `"${field}" is not a record`)
  }
  return value as Fieldset
}

/** The value as a list. Throws `ChainError` (`invalid-argument`) if it is none. */
export function asList(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidArgument(field, `"${field}" is not a list`)
  return value
}

/** The member of `cases` with this name. Throws `ChainError` (`invalid-argument`) if there is none. */
export function chosen<T>(cases: Readonly<Record<string, T>>, name: unknown, field: string): T {
  const found = typeof name === 'string' && Object.hasOwn(cases, name) ? cases[name] : undefined
  if (found === undefined) throw invalidArgument(field, `"${field}" is none of ${Object.keys(cases).join(', ')}`)
  return found
}

/** Blue and DAA scores, counts and masses are stored as signed integers of 64 bits. */
const MAX_STORED = 2n ** 63n - 1n

/** The last ms of the year 9999: databases read no later time in ISO 8601. */
const MAX_TIME = 253_402_300_799_999n

/** The readers of every scalar, of Borsh or of JSON. */
type Readers<Source> = { readonly [S in Scalar]: (source: Source) => ScalarValues[S] }

/**
 * The readers of what a node sends: the only place where its amounts, scores, times, counts and measures are held to
 * their ranges, of responses and notifications, before anything else reads them. Beyond its range a message is
 * malformed: the endpoint is left, or the state is read again. UTXO entries are not among them: one that cannot be is
 * left out, and the others stay.
 */
export const withRanges = <Source>(readers: Readers<Source>): Readers<Source> => ({
  ...readers,
  sompi: upTo(MAX_SOMPI, 'An amount', readers.sompi),
  score: upTo(MAX_STORED, 'A score', readers.score),
  time: upTo(MAX_TIME, 'A time', readers.time),
  count: upTo(MAX_STORED, 'A count', readers.count),
  measure: (source) => {
    const value = readers.measure(source)
    if (!Number.isFinite(value) || value < 0) throw outOfRange('A measure')
    return value
  },
})

function upTo<Source>(max: bigint, what: string, read: (source: Source) => bigint): (source: Source) => bigint {
  return (source) => {
    const value = read(source)
    if (value > max) throw outOfRange(what)
    return value
  }
}

const outOfRange = (what: string): MalformedFrame => new MalformedFrame(`${what} is out of range`)
