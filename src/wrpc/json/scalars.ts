import { isValidAddress } from '../../model/address.js'
import { toHex, fromHex } from '../../model/hex.js'
import { isIp } from '../../model/ip.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import type { Scalar, ScalarValues } from '../../node/messages/shape.js'
import { NETWORK_ID, NETWORK_TYPE, UUID, withRanges } from '../valid-values.js'
import { MalformedFrame } from '../wire-errors.js'
import { toBigInt, toNumber, floatText } from './message-text.js'

/** Decodes one parsed JSON value. */
export type Read<T = unknown> = (value: unknown) => T

export type ScalarReaders = { readonly [S in Scalar]: Read<ScalarValues[S]> }

/** Size of the script cache; the UTXOs of one address share one script object. */
const MAX_SCRIPTS = 4096

/** The sender of a message. Addresses of a client are validated, numbers of a node held to their ranges. */
export type Sender = 'client' | 'node'

export function createScalarReaders(sender: Sender): ScalarReaders {
  const fixed = sender === 'client' ? hexAtLeast : hex
  const readers: ScalarReaders = {
    u8: integer(8),
    u16: integer(16),
    u32: integer(32),
    u64,
    sompi: u64,
    score: u64,
    time: u64,
    count: u64,
    i64: (value) => toBigInt(value, -(2n ** 63n), 2n ** 63n - 1n),
    f32: (value) => Math.fround(float(value)),
    f64: float,
    measure: float,
    bool: readBool,
    text: readText,
    hash: fixed(64),
    bytes: readHex,
    byteList: readByteList,
    subnetworkId: fixed(40),
    blueWork: readBlueWork,
    scriptPublicKey: createScriptReader(),
    address: sender === 'client' ? readAddress : readText,
    networkType: matching(NETWORK_TYPE),
    networkId: matching(NETWORK_ID),
    ip: readIp,
    uuid: matching(UUID),
  }
  return sender === 'client' ? readers : withRanges(readers)
}

const u64: Read<bigint> = (value) => (isSmall(value) ? BigInt(value) : toBigInt(value, 0n, 2n ** 64n - 1n))

const LOWER_HEX = /^[0-9a-f]*$/
const ANY_HEX = /^(?:[0-9a-f]{2})*$/i

function hex(digits: number): Read<string> {
  return (value) => {
    const text = readHex(value)
    if (text.length !== digits) throw new MalformedFrame(`Expected ${digits} hex digits, not ${text.length}`)
    return text
  }
}

/** 192 bits; a node leaves out the zeros in front. Compared as text, so that a longer one would be the greatest. */
function readBlueWork(value: unknown): string {
  const text = readHex(value)
  if (text.length > 48) throw new MalformedFrame('A blue work is out of range')
  return text.padStart(48, '0')
}

/** A node ignores surplus digits. */
function hexAtLeast(digits: number): Read<string> {
  const readExactly = hex(digits)
  return (value) => readExactly(readHex(value).slice(0, digits))
}

/** Accepts hex in either case; returns lower case. */
function readHex(value: unknown): string {
  const text = readText(value)
  if (text.length % 2 === 0 && LOWER_HEX.test(text)) return text
  if (ANY_HEX.test(text)) return text.toLowerCase()
  throw new MalformedFrame('Not hex')
}

function integer(bits: number): Read<number> {
  const limit = 2 ** bits
  return (value) => {
    const whole = toNumber(value)
    if (Number.isInteger(whole) && whole >= 0 && whole < limit) return whole + 0 // turns -0 into 0
    throw new MalformedFrame(`${whole} does not fit into ${bits} bits`)
  }
}

/** A node writes non-finite numbers as `null`; only infinite fee rates occur. */
const float: Read<number> = (value) => (value === null ? Infinity : toNumber(value))

const isSmall = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function readBool(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new MalformedFrame(`Expected a boolean, not ${typeof value}`)
}

function readText(value: unknown): string {
  if (typeof value === 'string') return value
  throw new MalformedFrame(`Expected text, not ${typeof value}`)
}

function matching(pattern: RegExp): Read<string> {
  return (value) => {
    const text = readText(value)
    if (pattern.test(text)) return text
    throw new MalformedFrame(`"${text}" does not match ${pattern}`)
  }
}

function readAddress(value: unknown): string {
  if (isValidAddress(value)) return value
  throw new MalformedFrame('Not an address')
}

function readIp(value: unknown): string {
  if (isIp(value)) return value
  throw new MalformedFrame('Not an IP address')
}

function readByteList(value: unknown): string {
  if (!Array.isArray(value)) throw new MalformedFrame('Expected a list of bytes')
  return toHex(Uint8Array.from(value, integer(8)))
}

/** Hex of the big-endian version and the script; a node also accepts a record. */
function createScriptReader(): Read<ScriptPublicKey> {
  const cache = new Map<string, ScriptPublicKey>()
  return (value) => {
    if (typeof value !== 'string') return readScriptRecord(value)
    const cached = cache.get(value)
    if (cached !== undefined) return cached
    const text = readHex(value)
    if (text.length < 4) throw new MalformedFrame('The script has no version')
    const script = Object.freeze({ version: Number.parseInt(text.slice(0, 4), 16), script: text.slice(4) })
    if (cache.size >= MAX_SCRIPTS) cache.clear()
    cache.set(value, script)
    return script
  }
}

function readScriptRecord(value: unknown): ScriptPublicKey {
  if (typeof value !== 'object' || value === null || !('version' in value) || !('script' in value)) {
    throw new MalformedFrame('Expected a script')
  }
  return { version: integer(16)(value.version), script: readHex(value.script) }
}

/** Encodes each scalar; the value is already validated. */
export const SCALAR_TEXTS: { readonly [S in Scalar]: (value: ScalarValues[S]) => string } = {
  u8: String,
  u16: String,
  u32: String,
  u64: String,
  sompi: String,
  score: String,
  time: String,
  count: String,
  i64: String,
  f32: (value) => floatText(Math.fround(value)),
  f64: floatText,
  measure: floatText,
  bool: String,
  text: (value) => JSON.stringify(value),
  hash: quoted,
  bytes: quoted,
  byteList: (value) => `[${fromHex(value).join(',')}]`,
  subnetworkId: quoted,
  blueWork: quoted,
  scriptPublicKey: ({ version, script }) => `"${version.toString(16).padStart(4, '0')}${script}"`,
  address: (value) => JSON.stringify(value),
  networkType: (value) => JSON.stringify(value),
  networkId: (value) => JSON.stringify(value),
  ip: (value) => JSON.stringify(value),
  uuid: quoted,
}

/** Quotes text that needs no JSON escapes. */
function quoted(text: string): string {
  return `"${text}"`
}
