import { decodeAddress, encodeAddress, type AddressVersion } from '../../model/address.js'
import type { AddressPrefix } from '../../model/network.js'
import { MalformedFrame } from '../malformed.js'

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
export function readAddressText(bytes: Uint8Array, start: number, length: number): string {
  const prefix = ADDRESS_PREFIXES[bytes[start] ?? 255]
  const version = versionOf(bytes[start + 1] ?? 255)
  const payload = bytes.subarray(start + ADDRESS_HEADER_SIZE, start + length)
  if (prefix === undefined || payload.length !== (version === 'PubKeyECDSA' ? 33 : 32)) {
    throw new MalformedFrame('The address has an unknown prefix or a wrong length')
  }
  return encodeAddress(prefix, version, payload)
}

/** Bytes in front of an address's payload: prefix, version and a length of four bytes. */
export const ADDRESS_HEADER_SIZE = 6

/** The codes of an address. Throws `ChainError` (`invalid-argument`) if it is none. */
export function addressCodes(address: string): { prefix: number; version: number; payload: Uint8Array } {
  const { prefix, version, payload } = decodeAddress(address)
  return { prefix: ADDRESS_PREFIXES.indexOf(prefix), version: ADDRESS_VERSIONS[version], payload }
}

function versionOf(code: number): AddressVersion {
  if (code === 0) return 'PubKey'
  if (code === 1) return 'PubKeyECDSA'
  if (code === 8) return 'ScriptHash'
  throw new MalformedFrame(`${code} is no address version`)
}
