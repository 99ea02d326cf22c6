import { isValidAddress } from '../../model/address.js'
import { toHex } from '../../model/hex.js'
import { isIp } from '../../model/ip.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import type { Scalar, ScalarValues } from '../../node/messages/shape.js'
import { NETWORK_ID, NETWORK_TYPE, UUID } from '../forms.js'
import { MalformedFrame } from '../malformed.js'
import { toBigInt, toNumber } from './numbers.js'

/** Reads what `JSON.parse` made of one value. */
export type Read<T = unknown> = (value: unknown) => T

export type ScalarReaders = { readonly [S in Scalar]: Read<ScalarValues[S]> }

/** How many scripts are remembered, so that the coins of one address share one. */
const REMEMBERED = 4096

/** Who is heard: a client, whose addresses are looked at letter by letter; or a node, that knows its own. */
export type Speaker = 'client' | 'node'

export function createScalarReaders(speaker: Speaker): ScalarReaders {
  const fixed = speaker === 'client' ? hexAtLeast : hex
  return {
    u8: integer(8),
    u16: integer(16),
    u32: integer(32),
    u64: (value) => (isSmall(value) ? BigInt(value) : toBigInt(value, 0n, 2n ** 64n - 1n)),
    i64: (value) => toBigInt(value, -(2n ** 63n), 2n ** 63n - 1n),
    f32: (value) => Math.fround(float(value)),
    f64: float,
    bool: readBool,
    text: readText,
    hash: fixed(64),
    bytes: readHex,
    byteList: readByteList,
    subnetworkId: fixed(40),
    blueWork: (value) => readHex(value).padStart(48, '0'),
    scriptPublicKey: createScriptReader(),
    address: speaker === 'client' ? readAddress : readText,
    networkType: matching(NETWORK_TYPE),
    networkId: matching(NETWORK_ID),
    ip: readIp,
    uuid: matching(UUID),
  }
}

const LOWER_HEX = /^[0-9a-f]*$/
const ANY_HEX = /^(?:[0-9a-f]{2})*$/i

function hex(digits: number): Read<string> {
  return (value) => {
    const text = readHex(value)
    if (text.length !== digits) throw new MalformedFrame(`${digits} hex digits wanted, not ${text.length}`)
    return text
  }
}

/** A node reads as much of a longer text as it needs. */
function hexAtLeast(digits: number): Read<string> {
  const readExactly = hex(digits)
  return (value) => readExactly(readHex(value).slice(0, digits))
}

/** Hex in either case; records hold lower case. */
function readHex(value: unknown): string {
  const text = readText(value)
  if (text.length % 2 === 0 && LOWER_HEX.test(text)) return text
  if (ANY_HEX.test(text)) return text.toLowerCase()
  throw new MalformedFrame('Text that is not hex')
}

function integer(bits: number): Read<number> {
  const limit = 2 ** bits
  return (value) => {
    const whole = toNumber(value)
    if (Number.isInteger(whole) && whole >= 0 && whole < limit) return whole + 0 // also of -0
    throw new MalformedFrame(`${whole} does not fit into ${bits} bits`)
  }
}

/** A node writes what is not finite as `null`; of such, only infinite fee rates occur. */
const float: Read<number> = (value) => (value === null ? Infinity : toNumber(value))

const isSmall = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function readBool(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new MalformedFrame(`True or false wanted, not ${typeof value}`)
}

function readText(value: unknown): string {
  if (typeof value === 'string') return value
  throw new MalformedFrame(`Text wanted, not ${typeof value}`)
}

function matching(form: RegExp): Read<string> {
  return (value) => {
    const text = readText(value)
    if (form.test(text)) return text
    throw new MalformedFrame(`"${text}" is not of the form ${form}`)
  }
}

function readAddress(value: unknown): string {
  if (isValidAddress(value)) return value
  throw new MalformedFrame('Text that is no address')
}

function readIp(value: unknown): string {
  if (isIp(value)) return value
  throw new MalformedFrame('Text that is no IP address')
}

function readByteList(value: unknown): string {
  if (!Array.isArray(value)) throw new MalformedFrame('A list of byte numbers wanted')
  return toHex(Uint8Array.from(value, integer(8)))
}

/** A script is hex behind its version, which is big-endian here; a node reads a record as well. */
function createScriptReader(): Read<ScriptPublicKey> {
  const known = new Map<string, ScriptPublicKey>()
  return (value) => {
    if (typeof value !== 'string') return readScriptRecord(value)
    const found = known.get(value)
    if (found !== undefined) return found
    const text = readHex(value)
    if (text.length < 4) throw new MalformedFrame('A script without a version')
    const script = Object.freeze({ version: Number.parseInt(text.slice(0, 4), 16), script: text.slice(4) })
    if (known.size >= REMEMBERED) known.clear()
    known.set(value, script)
    return script
  }
}

function readScriptRecord(value: unknown): ScriptPublicKey {
  if (typeof value !== 'object' || value === null || !('version' in value) || !('script' in value)) {
    throw new MalformedFrame('A script wanted')
  }
  return { version: integer(16)(value.version), script: readHex(value.script) }
}
