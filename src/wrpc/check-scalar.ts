import { invalidArgument } from '../errors/chain-error.js'
import { isHex } from '../model/hex.js'
import { isIp } from '../model/ip.js'
import type { Scalar } from '../node/messages/shape.js'
import { NETWORK_ID, NETWORK_TYPE, UUID } from './patterns.js'

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
