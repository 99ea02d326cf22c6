import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { toHex } from '../hex.js'
import type { ChainNetwork } from '../network.js'
import type { ChainLocator, LocatorEntry } from './locator.js'

/** The format of a cursor; its first byte. */
export const VERSION = 1

/** The second byte. A number is never used again for another network. */
export const NETWORK_BYTES: Readonly<Record<ChainNetwork, number>> = {
  mainnet: 0,
  'testnet-10': 1,
  'testnet-12': 2,
  simnet: 3,
  devnet: 4,
}

/** Version, network, length of the blue work, number of blocks; each block's hash and score; starts; the checksum. */
export const HEAD = 4
export const HASH = 32
export const BLOCK = HASH + 8
export const CHECKSUM = 4

/**
 * The locator of a cursor of `network`. Throws `ChainError` (`invalid-argument`) for anything else: a cursor of another
 * network or of a newer release, a cut or changed one, and a value that is no text. `argument` names it in the error.
 */
export const decodeCursor = (cursor: unknown, network: ChainNetwork, argument = 'cursor'): ChainLocator =>
  decodePosition(cursor, network, argument).locator

/** What a cursor holds. */
export interface CursorPosition {
  readonly locator: ChainLocator
  /** Those of `followTransfers`; none in a cursor of `followChain`. */
  readonly starts: AddressStarts
}

/** As `decodeCursor`, with the starts of added addresses. */
export function decodePosition(cursor: unknown, network: ChainNetwork, argument = 'cursor'): CursorPosition {
  const invalidCursor = (fault: string, hint = 'Pass the text that a batch carried, unchanged.'): ChainError =>
    invalidArgument(argument, `"${argument}" ${fault}`, hint)
  const bytes = typeof cursor === 'string' ? fromBase64Url(cursor) : undefined
  if (bytes === undefined || bytes.length < HEAD + BLOCK) throw invalidCursor('is not the text of a cursor')
  if (bytes[0] !== VERSION)
    throw invalidCursor(`has format ${bytes[0]}, this release reads ${VERSION}`, 'Update vue-chain, if it is newer.')
  const [, networkByte, workLength = 0, count = 0] = bytes
  const start = HEAD + workLength
  const end = start + BLOCK * count
  if (count === 0 || bytes.length < end + CHECKSUM || !isIntact(bytes))
    throw invalidCursor('is damaged: it was cut or changed')
  if (networkByte !== NETWORK_BYTES[network])
    throw invalidCursor(`is of ${networkOf(networkByte)}, the engine of ${network}`)
  const [tip, ...below] = readEntries(bytes, start, count)
  if (tip === undefined || below.some(({ blueScore }, at) => blueScore >= ([tip, ...below][at]?.blueScore ?? 0n)))
    throw invalidCursor('is damaged: its blocks are out of order')
  const starts = decodeStarts(bytes.subarray(end, -CHECKSUM), tip.blueScore)
  if (starts === undefined) throw invalidCursor('is damaged: its addresses are incomplete')
  return { locator: { tip: { ...tip, blueWork: toHex(bytes.subarray(HEAD, start)) }, below }, starts }
}

/** Characters that hold everything up to the first block, whose blue work has 255 bytes at most. */
const startOfText = (): number => Math.ceil((HEAD + 255 + BLOCK) / 3) * 4

/** The blue score of the newest block of a cursor that a batch carries. Its other blocks are not read. */
export function tipScoreOf(cursor: string): bigint {
  const bytes = fromBase64Url(cursor.slice(0, startOfText()))
  if (bytes === undefined) throw new RangeError('The text of a batch is no cursor') // excluded by encodeCursor
  return new DataView(bytes.buffer).getBigUint64(HEAD + (bytes[2] ?? 0) + HASH, true)
}

function readEntries(bytes: Uint8Array<ArrayBuffer>, start: number, count: number): readonly LocatorEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return Array.from({ length: count }, (_, index) => {
    const at = start + BLOCK * index
    return { hash: toHex(bytes.subarray(at, at + HASH)), blueScore: view.getBigUint64(at + HASH, true) }
  })
}

/** Whether the last four bytes are the checksum of all others. */
function isIntact(bytes: Uint8Array<ArrayBuffer>): boolean {
  const end = bytes.length - CHECKSUM
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true) === crc32(bytes.subarray(0, end))
}

const networkOf = (byte: number | undefined): string =>
  Object.entries(NETWORK_BYTES).find(([, known]) => known === byte)?.[0] ?? 'an unknown network'

/** Undefined for a text in another alphabet. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** An address that was added while its transfers were followed. */
export interface AddressStart {
  /** The last characters of the address, by which it is found again among the watched ones: `tailOf`. */
  readonly tail: string
  /** The blue score of the block after which the address counts. */
  readonly blueScore: bigint
}

/** Since when added addresses count, in the cursor of `followTransfers`: a reorg below undoes their opening credits. */
export interface AddressStarts {
  /** From this blue score on the list is complete. */
  readonly completeFrom: bigint
  readonly starts: readonly AddressStart[]
}

export const NO_STARTS: AddressStarts = { completeFrom: 0n, starts: [] }

/** The addresses that a cursor names at most: the newest. */
export const MAX_STARTS = 300

/** The checksum of an address and 40 bits of its payload. */
const TAIL = 16
export const START = TAIL + 4
export const COMPLETE_FROM = 8

export const tailOf = (address: string): string => address.slice(-TAIL)

/** The starts of a cursor; undefined where their length is wrong. */
export function decodeStarts(bytes: Uint8Array<ArrayBuffer>, tipScore: bigint): AddressStarts | undefined {
  if (bytes.length === 0) return NO_STARTS
  const count = (bytes.length - COMPLETE_FROM) / START
  if (count < 0 || !Number.isInteger(count)) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const starts = Array.from({ length: count }, (_, index) => {
    const at = COMPLETE_FROM + START * index
    const tail = new TextDecoder().decode(bytes.subarray(at, at + TAIL))
    return { tail, blueScore: tipScore - BigInt(view.getUint32(at + TAIL, true)) }
  })
  return { completeFrom: view.getBigUint64(0, true), starts }
}

/** The reversed polynomial of CRC-32 (IEEE 802.3). */
const POLYNOMIAL = 0xedb88320

/** The remainders of single bytes. */
const REMAINDERS = /*#__PURE__*/ Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? POLYNOMIAL : 0)
  return remainder
})

/** CRC-32 as in zip and PNG, unsigned: detects damage, not forgery. */
export function crc32(bytes: Uint8Array): number {
  let remainder = ~0
  for (const byte of bytes) remainder = (remainder >>> 8) ^ (REMAINDERS[(remainder ^ byte) & 255] ?? 0)
  return ~remainder >>> 0
}
