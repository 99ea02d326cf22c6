import { isHex, toHex } from '../../model/hex.js'
import { decodeAddress, isValidAddress } from '../../model/address.js'
import { isProvider } from '../provider.js'
import type { ReportedBalance } from '../port.js'

/** The selected address, from a list of at most one. */
export function firstAccount(accounts: unknown): string | null {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' && first !== '' ? first : null
}

/**
 * A public key in lower-case hex: compressed (33 bytes), or x-only (32) as the wallet returned it. Compresses the
 * uncompressed key of a hardware wallet. Null if invalid.
 */
export function readPublicKey(result: unknown): string | null {
  const key = typeof result === 'string' ? result.toLowerCase() : null
  if (isHex(key, 65) && key.startsWith('04')) return compress(key)
  return isHex(key, 33) || isHex(key, 32) ? key : null
}

/** The x coordinate with the parity of y. */
const compress = (key: string): string => (parseInt(key.slice(-1), 16) % 2 === 0 ? '02' : '03') + key.slice(2, 66)

/**
 * The public key of an address, compressed, hex, for wallets that return none. A Schnorr address has no parity; BIP-340
 * uses the even one. Null for a script address.
 */
export function keyOfAddress(address: string): string | null {
  if (!isValidAddress(address)) return null
  const { version, payload } = decodeAddress(address)
  if (version === 'ScriptHash') return null
  return version === 'PubKey' ? `02${toHex(payload)}` : toHex(payload)
}

/**
 * A balance in sompi, from numbers or strings. Compatible wallets report the parts without their sum, or the sum alone.
 * Null if neither is complete, or a figure is not an integer.
 */
export function readBalance(result: unknown): ReportedBalance | null {
  if (!isProvider(result)) return null
  const given = [result.confirmed, result.unconfirmed, result.total].filter((figure) => figure !== undefined)
  if (given.some((figure) => toSompi(figure) === undefined)) return null
  const [confirmed, unconfirmed, total] = [result.confirmed, result.unconfirmed, result.total].map(toSompi)
  if (confirmed !== undefined && unconfirmed !== undefined)
    return { confirmed, unconfirmed, total: total ?? confirmed + unconfirmed }
  return total === undefined ? null : { total }
}

/** A balance of one figure, as Kastle reports it. Null if it is not an integer. */
export function readTotal(result: unknown): { readonly total: bigint } | null {
  const total = isProvider(result) ? toSompi(result.balance) : undefined
  return total === undefined ? null : { total }
}

const toSompi = (figure: unknown): bigint | undefined =>
  /^-?\d+$/.test(String(figure)) ? BigInt(String(figure)) : undefined
