import type { ByteWriter } from '../../model/bytes.js'
import { fromHex } from '../../model/hex.js'
import { fromIpText } from '../../model/ip.js'
import type { Scalar, ScalarValues } from '../../node/messages/shape.js'
import type { AddressCoder } from './address-coder.js'
import { codeOfNetworkType, splitNetworkId } from './coded-text.js'

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
