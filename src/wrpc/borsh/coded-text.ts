import { decodeAddress, encodeAddress, type AddressVersion } from '../../model/address.js'
import type { AddressPrefix } from '../../model/network.js'
import { MalformedFrame } from '../malformed.js'

/** Values that Borsh writes as numbers and everybody else as text: networks and addresses. */

const NETWORK_TYPES = ['mainnet', 'testnet', 'devnet', 'simnet'] as const

/** In another order than the networks they belong to. */
const ADDRESS_PREFIXES: readonly AddressPrefix[] = ['kaspa', 'kaspatest', 'kaspasim', 'kaspadev']

const ADDRESS_VERSIONS: Readonly<Record<AddressVersion, number>> = { PubKey: 0, PubKeyECDSA: 1, ScriptHash: 8 }

export function networkTypeOf(code: number): string {
  const type = NETWORK_TYPES[code]
  if (type === undefined) throw new MalformedFrame(`${code} is no type of network`)
  return type
}

/** The number of a type of network, which is known to be one. */
export const codeOfNetworkType = (type: string): number => NETWORK_TYPES.findIndex((known) => known === type)

/** A network's id taken apart: `testnet-10` has the suffix 10, `mainnet` has none. */
export function splitNetworkId(id: string): { readonly type: number; readonly suffix: number | undefined } {
  const [type = '', suffix] = id.split('-')
  return { type: codeOfNetworkType(type), suffix: suffix === undefined ? undefined : Number(suffix) }
}

/** The address whose prefix, version and payload's length stand in front of its payload: `length` bytes from `start`. */
export function readAddressText(bytes: Uint8Array, start: number, length: number): string {
  const prefix = ADDRESS_PREFIXES[bytes[start] ?? 255]
  const version = versionOf(bytes[start + 1] ?? 255)
  const payload = bytes.subarray(start + ADDRESS_HEAD, start + length)
  if (prefix === undefined || payload.length !== (version === 'PubKeyECDSA' ? 33 : 32)) {
    throw new MalformedFrame('An address of an unknown network, or of the wrong length')
  }
  return encodeAddress(prefix, version, payload)
}

/** How many bytes stand in front of an address's payload: prefix, version and a length of four bytes. */
export const ADDRESS_HEAD = 6

/** An address as numbers. Throws `ChainError` (`invalid-argument`) where it is none. */
export function addressCodes(address: string): { prefix: number; version: number; payload: Uint8Array } {
  const { prefix, version, payload } = decodeAddress(address)
  return { prefix: ADDRESS_PREFIXES.indexOf(prefix), version: ADDRESS_VERSIONS[version], payload }
}

function versionOf(code: number): AddressVersion {
  if (code === 0) return 'PubKey'
  if (code === 1) return 'PubKeyECDSA'
  if (code === 8) return 'ScriptHash'
  throw new MalformedFrame(`${code} is no version of an address`)
}
