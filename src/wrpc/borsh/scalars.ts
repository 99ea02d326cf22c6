import { toIpText, fromIpText } from '../../model/ip.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import type { Scalar, ScalarValues } from '../../node/messages/shape.js'
import { MalformedFrame } from '../wire-errors.js'
import { type AddressCoder, networkTypeOf, codeOfNetworkType, splitNetworkId, createInterned } from './address-coder.js'
import { type Cursor, createHexText, type HexText } from './cursor.js'
import type { ByteWriter } from '../../model/bytes.js'
import { fromHex } from '../../model/hex.js'

/** Decodes one value at the cursor and advances it. */
export type Read<T = unknown> = (cursor: Cursor) => T

export type ScalarReaders = { readonly [S in Scalar]: Read<ScalarValues[S]> }

/** Creates the scalar readers, with a cache of scripts. */
export function createScalarReaders({ read: address }: Pick<AddressCoder, 'read'>): ScalarReaders {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const u64: Read<bigint> = (cursor) => cursor.u64()
  const f64: Read<number> = (cursor) => cursor.view.getFloat64(cursor.take(8), true)
  const bytes: Read<string> = (cursor) => cursor.hex(cursor.count(1))
  const hexText = createHexText()
  return {
    u8: (cursor) => cursor.u8(),
    u16: (cursor) => cursor.u16(),
    u32: (cursor) => cursor.u32(),
    u64,
    sompi: u64,
    score: u64,
    time: u64,
    count: u64,
    i64: (cursor) => cursor.view.getBigInt64(cursor.take(8), true),
    f32: (cursor) => cursor.view.getFloat32(cursor.take(4), true),
    f64,
    measure: f64,
    bool: (cursor) => cursor.bool(),
    text: (cursor) => readText(cursor, utf8),
    hash: (cursor) => cursor.hex(32),
    bytes,
    byteList: bytes,
    subnetworkId: (cursor) => cursor.hex(20),
    blueWork: createBlueWorkReader(hexText),
    scriptPublicKey: createScriptReader(hexText),
    address,
    networkType: (cursor) => networkTypeOf(cursor.u8()),
    networkId: readNetworkId,
    ip: (cursor) => toIpText(cursor.slice(cursor.bool() ? 16 : 4)),
    uuid: (cursor) => cursor.hex(16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  }
}

/** A little-endian number, as hex. The bytes are reversed, not the text: text joined by parts is slow to compare. */
function createBlueWorkReader(hexText: HexText): Read<string> {
  const bigEndian = new Uint8Array(24)
  return (cursor) => {
    const start = cursor.take(bigEndian.length)
    for (let at = 0; at < bigEndian.length; at++) bigEndian[bigEndian.length - 1 - at] = cursor.bytes[start + at] ?? 0
    return hexText(bigEndian, 0, bigEndian.length)
  }
}

function createScriptReader(hexText: HexText): Read<ScriptPublicKey> {
  const scripts = createInterned((bytes, start, length): ScriptPublicKey => {
    const version = (bytes[start] ?? 0) | ((bytes[start + 1] ?? 0) << 8)
    return Object.freeze({ version, script: hexText(bytes, start + SCRIPT_HEADER_SIZE, length - SCRIPT_HEADER_SIZE) })
  })
  return (cursor) => {
    const start = cursor.take(SCRIPT_HEADER_SIZE)
    const length = cursor.view.getUint32(start + 2, true)
    cursor.take(length)
    return scripts.valueOf(cursor, start, SCRIPT_HEADER_SIZE + length)
  }
}

/** Bytes in front of a script: version and a length of four bytes. */
const SCRIPT_HEADER_SIZE = 6

function readText(cursor: Cursor, utf8: TextDecoder): string {
  const bytes = cursor.slice(cursor.count(1))
  try {
    return utf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw new MalformedFrame('Not UTF-8', { cause: error })
    throw error
  }
}

function readNetworkId(cursor: Cursor): string {
  const type = networkTypeOf(cursor.u8())
  return cursor.bool() ? `${type}-${cursor.u32()}` : type
}

type WriteScalar<S extends Scalar> = (writer: ByteWriter, value: ScalarValues[S]) => void

export type ScalarWriters = { readonly [S in Scalar]: WriteScalar<S> }

/** Encodes each scalar. The value is already validated, except that addresses are only known to be text. */
export const createScalarWriters = ({ write: address }: Pick<AddressCoder, 'write'>): ScalarWriters => ({
  u8: (writer, value) => writer.u8(value),
  u16: (writer, value) => writer.u16(value),
  u32: (writer, value) => writer.u32(value),
  u64: writeU64,
  sompi: writeU64,
  score: writeU64,
  time: writeU64,
  count: writeU64,
  i64: (writer, value) => writer.u64(BigInt.asUintN(64, value)),
  f32: (writer, value) => writer.bytes(new Uint8Array(Float32Array.of(value).buffer)),
  f64: writeF64,
  measure: writeF64,
  bool: (writer, value) => writer.u8(Number(value)),
  text: (writer, value) => writeBytes(writer, new TextEncoder().encode(value)),
  hash: (writer, value) => writer.hex(value),
  bytes: (writer, value) => writeBytes(writer, fromHex(value)),
  byteList: (writer, value) => writeBytes(writer, fromHex(value)),
  subnetworkId: (writer, value) => writer.hex(value),
  blueWork: (writer, value) => writer.bytes(fromHex(value).reverse()),
  scriptPublicKey: (writer, value) => writeBytes(writer.u16(value.version), fromHex(value.script)),
  address,
  networkType: (writer, value) => writer.u8(codeOfNetworkType(value)),
  networkId: writeNetworkId,
  ip: writeIp,
  uuid: (writer, value) => writer.hex(value.replaceAll('-', '')),
})

function writeU64(writer: ByteWriter, value: bigint): void {
  writer.u64(value)
}

function writeF64(writer: ByteWriter, value: number): void {
  writer.bytes(new Uint8Array(Float64Array.of(value).buffer))
}

function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  writer.u32(bytes.length).bytes(bytes)
}

function writeIp(writer: ByteWriter, ip: string): void {
  const bytes = fromIpText(ip) ?? new Uint8Array(4)
  writer.u8(Number(bytes.length === 16)).bytes(bytes)
}

function writeNetworkId(writer: ByteWriter, id: string): void {
  const { type, suffix } = splitNetworkId(id)
  writer.u8(type).u8(Number(suffix !== undefined))
  if (suffix !== undefined) writer.u32(suffix)
}
