import { addressVersionOf, toAddress } from '../../../model/address.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'

const NAMES = { PubKey: 'pubkey', PubKeyECDSA: 'pubkeyecdsa', ScriptHash: 'scripthash' } as const

export const isStandard = (script: ScriptPublicKey): boolean => addressVersionOf(script) !== undefined

/** The server's name of the script type, and the address of the script. */
export function describeScript(script: ScriptPublicKey, prefix: AddressPrefix) {
  const version = addressVersionOf(script)
  return {
    type: version === undefined ? ('nonstandard' as const) : NAMES[version],
    address: toAddress(script, prefix),
  }
}
