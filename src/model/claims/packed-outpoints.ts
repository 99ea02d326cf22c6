import { fromHex, toHex } from '../hex.js'
import { toOutpointKey, type Outpoint } from '../utxo.js'

/** Bytes of an outpoint: the transaction id, and the index as an integer of four bytes, little-endian. */
const [BYTES, ID_BYTES] = [36, 32]

/** Outpoints as bytes, one after the other: each tab reads those of all. */
export function packOutpoints(outpoints: readonly Outpoint[]): Uint8Array {
  const bytes = decodeIds(outpoints.map(({ transactionId }) => transactionId + NO_INDEX).join(''))
  const view = viewOf(bytes)
  for (const [at, { index }] of outpoints.entries()) view.setUint32(at * BYTES + ID_BYTES, index, true)
  return bytes
}

const NO_INDEX = '00000000'

/** By the runtime where it can: that needs no code of the page, which is not compiled yet for the first payment. */
const decodeIds = (hex: string): Uint8Array => (readsHex(Uint8Array) ? Uint8Array.fromHex(hex) : fromHex(hex))

const readsHex = (type: object): type is { fromHex(hex: string): Uint8Array } => 'fromHex' in type

export function unpackOutpoints(bytes: Uint8Array): readonly Outpoint[] {
  const view = viewOf(bytes)
  return Array.from({ length: countOutpoints(bytes) }, (_, at) => ({
    transactionId: toHex(bytes.subarray(at * BYTES, at * BYTES + ID_BYTES)),
    index: view.getUint32(at * BYTES + ID_BYTES, true),
  }))
}

/** Several lists as one. */
export function joinOutpoints(lists: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    joined.set(list, at)
    at += list.length
  }
  return joined
}

/** A part of a list, by numbers of outpoints, with bytes of its own: a view would be stored with all of them. */
export const sliceOutpoints = (bytes: Uint8Array, from: number, count: number): Uint8Array =>
  bytes.slice(from * BYTES, (from + count) * BYTES)

export const countOutpoints = (bytes: Uint8Array): number => bytes.length / BYTES

/** Whether these are the bytes of some outpoints, at most `max`. */
export const arePackedOutpoints = (value: unknown, max: number): value is Uint8Array =>
  value instanceof Uint8Array && value.length > 0 && value.length % BYTES === 0 && value.length <= max * BYTES

/** Whether an outpoint is in both. Texts are made of those only whose hashes are in both: there may be thousands. */
export function haveCommonOutpoint(some: readonly Uint8Array[], others: Iterable<Uint8Array>): boolean {
  const hashes = new Set<number>()
  for (const bytes of some) visitOutpoints(bytes, (hash) => hashes.add(hash))
  const suspects: Uint8Array[] = []
  for (const bytes of others)
    visitOutpoints(bytes, (hash, start) => {
      if (hashes.has(hash)) suspects.push(bytes.subarray(start, start + BYTES))
    })
  if (suspects.length === 0) return false
  const keys = new Set(some.flatMap(unpackOutpoints).map(toOutpointKey))
  return suspects.flatMap(unpackOutpoints).some((outpoint) => keys.has(toOutpointKey(outpoint)))
}

/** With a hash of each: of the first bytes of its id, which is a hash itself, and of its index. */
function visitOutpoints(bytes: Uint8Array, visit: (hash: number, start: number) => void): void {
  const view = viewOf(bytes)
  for (let start = 0; start < bytes.length; start += BYTES) {
    const index = Math.imul(view.getUint32(start + ID_BYTES, true), ODD)
    visit((view.getUint32(start) ^ index) & SMALL, start)
  }
}

/** Spreads indices over 32 bits; and what is stored without a box. */
const [ODD, SMALL] = [0x9e3779b1, 0x3fffffff]

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
