import { toAddress, toScriptPublicKey } from '../../../model/address.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'

/** Maximum cached addresses. Encoding an address takes as long as the remaining processing of an output. */
const CACHE_SIZE = 20_000

/** Addresses of locking scripts with the prefix of the network, cached. */
export class Addresses {
  readonly #byScript = new Map<string, string | undefined>()

  constructor(readonly prefix: AddressPrefix) {}

  /** Undefined for a script without an address form. */
  of(scriptPublicKey: ScriptPublicKey): string | undefined {
    const key = scriptKey(scriptPublicKey)
    if (this.#byScript.has(key)) return this.#byScript.get(key)
    const address = toAddress(scriptPublicKey, this.prefix)
    if (this.#byScript.size >= CACHE_SIZE) this.#byScript.clear()
    this.#byScript.set(key, address)
    return address
  }

  /** The address with this network's prefix. The node compares scripts, not prefixes. */
  localize(address: string): string {
    return this.of(toScriptPublicKey(address)) ?? address
  }
}

/** A map key for a script. */
export const scriptKey = ({ version, script }: ScriptPublicKey): string =>
  version === 0 ? script : `${String(version)}:${script}`
