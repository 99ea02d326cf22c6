import { invalidArgument } from '../errors/chain-error.js'
import { isHex } from '../model/hex.js'
import { isIp } from '../model/ip.js'
import type { Scalar } from '../node/messages/shape.js'
import { NETWORK_ID, NETWORK_TYPE, UUID } from './forms.js'

/**
 * Refuses a value that has no place on the wire, before half a frame is written.
 * Throws `ChainError` (`invalid-argument`) that names the field and what belongs there.
 */
export function checkScalar(scalar: Scalar, value: unknown, field: string): void {
  const rule = RULES[scalar]
  if (!rule.holds(value)) throw invalidArgument(field, `"${field}" is not ${rule.words}`)
}

interface Rule {
  readonly holds: (value: unknown) => boolean
  readonly words: string
}

const MAX_U64 = 0xffffffffffffffffn

function integer(bits: number): Rule {
  const limit = 2 ** bits
  return {
    holds: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < limit,
    words: `a whole number of ${bits} bits`,
  }
}

function hex(length: number): Rule {
  return { holds: (value) => isHex(value, length), words: `${2 * length} hex digits` }
}

function form(pattern: RegExp, words: string): Rule {
  return { holds: (value) => typeof value === 'string' && pattern.test(value), words }
}

const number: Rule = { holds: (value) => typeof value === 'number', words: 'a number' }
const text: Rule = { holds: (value) => typeof value === 'string', words: 'text' }
const bytes: Rule = { holds: (value) => isHex(value), words: 'hex' }

const RULES: Readonly<Record<Scalar, Rule>> = {
  u8: /*#__PURE__*/ integer(8),
  u16: /*#__PURE__*/ integer(16),
  u32: /*#__PURE__*/ integer(32),
  u64: {
    holds: (value) => typeof value === 'bigint' && value >= 0n && value <= MAX_U64,
    words: 'a bigint of 64 bits',
  },
  i64: {
    holds: (value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value,
    words: 'a signed bigint of 64 bits',
  },
  f32: number,
  f64: number,
  bool: { holds: (value) => typeof value === 'boolean', words: 'a boolean' },
  text,
  hash: /*#__PURE__*/ hex(32),
  bytes,
  byteList: bytes,
  subnetworkId: /*#__PURE__*/ hex(20),
  blueWork: /*#__PURE__*/ hex(24),
  scriptPublicKey: { holds: isScript, words: 'a version and a script in hex' },
  address: text,
  networkType: /*#__PURE__*/ form(NETWORK_TYPE, 'a type of network'),
  networkId: /*#__PURE__*/ form(NETWORK_ID, 'the id of a network'),
  ip: { holds: isIp, words: 'an IP address' },
  uuid: /*#__PURE__*/ form(UUID, 'a UUID'),
}

function isScript(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('version' in value) || !('script' in value)) return false
  return Number.isInteger(value.version) && isHex(value.script)
}
