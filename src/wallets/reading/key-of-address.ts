import { decodeAddress, isValidAddress } from '../../model/address.js'
import { toHex } from '../../model/hex.js'

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
