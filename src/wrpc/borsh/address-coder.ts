import type { ByteWriter } from '../../model/bytes.js'
import type { Cursor } from './cursor.js'
import { decodeAddress, encodeAddress, type AddressVersion } from '../../model/address.js'
import type { AddressPrefix } from '../../model/network.js'
import { MalformedFrame } from '../wire-errors.js'

/** Encodes and decodes addresses. */
export interface AddressCoder {
  /** Throws `ChainError` (`invalid-argument`) if it is no address. */
  readonly write: (writer: ByteWriter, address: string) => void
  readonly read: (cursor: Cursor) => string
}

/**
 * The encoded addresses that are cached: more than a large wallet has, which the mempool is read for every few seconds.
 */
const MAX_WRITTEN = 32_768

/**
 * An `AddressCoder` with a cache. Encoding or decoding an address takes longer than decoding a whole UTXO entry, and
 * the same addresses recur in requests and responses.
 */
export function createAddressCoder(): AddressCoder {
  const written = new Map<string, Uint8Array>()
  const texts = createInterned(readAddressText)

  const encodeAndCache = (address: string): Uint8Array => {
    const bytes = toBytes(address)
    if (written.size === MAX_WRITTEN) written.clear()
    written.set(address, bytes)
    texts.add(bytes, address)
    return bytes
  }
  return {
    write: (writer, address) => {
      writer.bytes(written.get(address) ?? encodeAndCache(address))
    },
    read: (cursor) => {
      const start = cursor.take(ADDRESS_HEADER_SIZE)
      const length = cursor.view.getUint32(start + 2, true)
      cursor.take(length)
      return texts.valueOf(cursor, start, ADDRESS_HEADER_SIZE + length)
    },
  }
}

/** An address in Borsh. */
function toBytes(address: string): Uint8Array {
  const { prefix, version, payload } = addressCodes(address)
  return Uint8Array.of(prefix, version, payload.length, 0, 0, 0, ...payload)
}

/** Values that are numbers in Borsh and text elsewhere: networks and addresses. */

const NETWORK_TYPES = ['mainnet', 'testnet', 'devnet', 'simnet'] as const

/** The order differs from `NETWORK_TYPES`. */
const ADDRESS_PREFIXES: readonly AddressPrefix[] = ['kaspa', 'kaspatest', 'kaspasim', 'kaspadev']

const ADDRESS_VERSIONS: Readonly<Record<AddressVersion, number>> = { PubKey: 0, PubKeyECDSA: 1, ScriptHash: 8 }

export function networkTypeOf(code: number): string {
  const type = NETWORK_TYPES[code]
  if (type === undefined) throw new MalformedFrame(`${code} is no network type`)
  return type
}

/** The number of a valid network type. */
export const codeOfNetworkType = (type: string): number => NETWORK_TYPES.findIndex((known) => known === type)

/** Splits a network id: `testnet-10` has the suffix 10, `mainnet` has none. */
export function splitNetworkId(id: string): { readonly type: number; readonly suffix: number | undefined } {
  const [type = '', suffix] = id.split('-')
  return { type: codeOfNetworkType(type), suffix: suffix === undefined ? undefined : Number(suffix) }
}

/** Decodes an address of `length` bytes from `start`: prefix, version, payload length, payload. */
function readAddressText(bytes: Uint8Array, start: number, length: number): string {
  const prefix = ADDRESS_PREFIXES[bytes[start] ?? 255]
  const version = versionOf(bytes[start + 1] ?? 255)
  const payload = bytes.subarray(start + ADDRESS_HEADER_SIZE, start + length)
  if (prefix === undefined || payload.length !== (version === 'PubKeyECDSA' ? 33 : 32)) {
    throw new MalformedFrame('The address has an unknown prefix or a wrong length')
  }
  return encodeAddress(prefix, version, payload)
}

/** Bytes in front of an address's payload: prefix, version and a length of four bytes. */
const ADDRESS_HEADER_SIZE = 6

/** The codes of an address. Throws `ChainError` (`invalid-argument`) if it is none. */
function addressCodes(address: string): { prefix: number; version: number; payload: Uint8Array } {
  const { prefix, version, payload } = decodeAddress(address)
  return { prefix: ADDRESS_PREFIXES.indexOf(prefix), version: ADDRESS_VERSIONS[version], payload }
}

function versionOf(code: number): AddressVersion {
  if (code === 0) return 'PubKey'
  if (code === 1) return 'PubKeyECDSA'
  if (code === 8) return 'ScriptHash'
  throw new MalformedFrame(`${code} is no address version`)
}

/** Decodes a value from bytes of a frame. */
type Make<T> = (bytes: Uint8Array, start: number, length: number) => T

/** A cache of decoded values, keyed by four or more bytes of a frame. */
interface Interned<T> {
  /** The value of `length` bytes from `start` in the cursor's frame. */
  valueOf(cursor: Cursor, start: number, length: number): T
  /** Adds a value that is not cached yet. */
  add(bytes: Uint8Array, value: T): void
}

/** The number of slots, a power of two. */
const SLOTS = 8192

/** The longest cached key, bytes: an address takes at most 39, the usual scripts 41. */
const MAX_KEY_LENGTH = 48

interface Slot<T> {
  readonly length: number
  readonly value: T
}

/**
 * Returns the same value for equal bytes while it is cached, in one of two slots. The hash uses the middle bytes, which
 * are random in addresses and scripts. A wallet's UTXOs belong to few addresses, so most lookups hit.
 */
export function createInterned<T>(make: Make<T>): Interned<T> {
  const slots = new Array<Slot<T> | undefined>(SLOTS)
  const keys = new Uint8Array(SLOTS * MAX_KEY_LENGTH)
  const keyView = new DataView(keys.buffer)
  const store = (slot: number, key: Uint8Array, value: T): void => {
    keys.set(key, slot * MAX_KEY_LENGTH)
    slots[slot] = { length: key.length, value }
  }
  return {
    valueOf: ({ bytes, view }, start, length) => {
      if (length > MAX_KEY_LENGTH) return make(bytes, start, length)
      let slot = slotOf(view, start, length)
      for (let probe = 0; probe < 2; probe++) {
        slot ^= probe // the second probe reads the neighbouring slot
        const entry = slots[slot]
        if (entry === undefined) break
        if (entry.length === length && equals(keyView, slot * MAX_KEY_LENGTH, view, start, length)) return entry.value
      }
      const value = make(bytes, start, length)
      store(slot, bytes.subarray(start, start + length), value)
      return value
    },
    add: (bytes, value) => {
      const slot = slotOf(new DataView(bytes.buffer, bytes.byteOffset), 0, bytes.length)
      store(slots[slot] === undefined ? slot : slot ^ 1, bytes, value)
    },
  }
}

function slotOf(view: DataView, start: number, length: number): number {
  const middle = view.getInt32(start + (length >> 1) - 2)
  return (middle ^ (middle >>> 16)) & (SLOTS - 1)
}

/** Compares four bytes at a time, then single bytes. */
function equals(keys: DataView, offset: number, view: DataView, start: number, length: number): boolean {
  let at = 0
  for (; at + 4 <= length; at += 4) if (keys.getInt32(offset + at) !== view.getInt32(start + at)) return false
  for (; at < length; at++) if (keys.getUint8(offset + at) !== view.getUint8(start + at)) return false
  return true
}
