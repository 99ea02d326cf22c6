import { toAddress } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { ScriptPublicKey } from '../../model/utxo.js'

/** The address that a script pays to; null for a script without an address. */
export type AddressOfScript = (script: ScriptPublicKey) => string | null

/** Scripts whose addresses are remembered. */
const CAPACITY = 32_768

/**
 * The addresses of scripts, derived and remembered: encoding one takes longer than decoding its output, and most
 * scripts recur. A node states addresses as well, but what it states about a script may be wrong.
 */
export function createAddressOfScript(network: ChainNetwork): AddressOfScript {
  const { addressPrefix } = NETWORKS[network]
  const known = new Map<string, string | null>()
  return (scriptPublicKey) => {
    const { version, script } = scriptPublicKey
    if (version !== 0) return null
    const found = known.get(script)
    if (found !== undefined) return found
    const address = toAddress(scriptPublicKey, addressPrefix) ?? null
    if (known.size === CAPACITY) known.clear()
    known.set(script, address)
    return address
  }
}
