import { ByteWriter } from '../bytes.js'
import type { ChainNetwork } from '../network.js'
import {
  COMPLETE_FROM,
  MAX_STARTS,
  NO_STARTS,
  START,
  type AddressStarts,
  crc32,
  BLOCK,
  CHECKSUM,
  HASH,
  HEAD,
  NETWORK_BYTES,
  VERSION,
} from './cursor.js'
import { entriesOf, type ChainLocator } from './locator.js'

/**
 * A locator as text: version, network, blue work of the tip, blocks newest first, of transfers the starts of added
 * addresses, CRC-32; integers little-endian, the whole in base64url without padding.
 */
export function encodeCursor(locator: ChainLocator, network: ChainNetwork, starts = NO_STARTS): string {
  const entries = entriesOf(locator)
  const { blueWork } = locator.tip
  const digits = blueWork.replace(/^0+/, '')
  const work = digits.padStart(digits.length + (digits.length % 2), '0')
  const writer = new ByteWriter(HEAD + HASH + BLOCK * entries.length + CHECKSUM)
  writer
    .u8(VERSION)
    .u8(NETWORK_BYTES[network])
    .u8(work.length / 2)
    .u8(entries.length)
    .hex(work)
  for (const { hash, blueScore } of entries) writer.hex(hash).u64(blueScore)
  writer.bytes(encodeStarts(starts, locator.tip.blueScore))
  return toBase64Url(writer.u32(crc32(writer.written())).written())
}

/** The starts as bytes, newest first, none of them above `tipScore`; no bytes for none. */
export function encodeStarts({ completeFrom, starts }: AddressStarts, tipScore: bigint): Uint8Array {
  if (starts.length === 0 && completeFrom === 0n) return new Uint8Array()
  const newestFirst = [...starts].sort((a, b) => Number(b.blueScore - a.blueScore))
  const kept = newestFirst.slice(0, MAX_STARTS)
  const dropped = newestFirst[MAX_STARTS]?.blueScore ?? 0n
  const writer = new ByteWriter(COMPLETE_FROM + START * kept.length)
  writer.u64(dropped > completeFrom ? dropped : completeFrom)
  for (const { tail, blueScore } of kept) writer.bytes(new TextEncoder().encode(tail)).u32(Number(tipScore - blueScore))
  return writer.written()
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
