import { decodeAddress, isValidAddress } from '../../model/address.js'
import { toHex } from '../../model/hex.js'

/**
 * The public key that an address holds, compressed, hex: for wallets that tell none. A Schnorr address has no parity;
 * BIP-340 takes the even one. Null where the address is a script's.
 */
export function keyOfAddress(address: string): string | null {
  if (!isValidAddress(address)) return null
  const { version, payload } = decodeAddress(address)
  if (version === 'ScriptHash') return null
  return version === 'PubKey' ? `02${toHex(payload)}` : toHex(payload)
}
