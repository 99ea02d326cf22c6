import { toAddress, toScriptPublicKey } from '../../../model/address.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'

/** How many scripts' addresses are remembered: encoding one costs as much as everything else about an output. */
const REMEMBERED = 20_000

/** Addresses of locking scripts, in the network's own prefix. */
export class Addresses {
  readonly #byScript = new Map<string, string | undefined>()

  constructor(readonly prefix: AddressPrefix) {}

  /** Undefined where no address can stand for the script. */
  of(scriptPublicKey: ScriptPublicKey): string | undefined {
    const key = scriptKey(scriptPublicKey)
    if (this.#byScript.has(key)) return this.#byScript.get(key)
    const address = toAddress(scriptPublicKey, this.prefix)
    if (this.#byScript.size >= REMEMBERED) this.#byScript.clear()
    this.#byScript.set(key, address)
    return address
  }

  /** The address with this network's prefix: a node looks only at the script that an address stands for. */
  localize(address: string): string {
    return this.of(toScriptPublicKey(address)) ?? address
  }
}

/** A script as a map's key. */
export const scriptKey = ({ version, script }: ScriptPublicKey): string =>
  version === 0 ? script : `${String(version)}:${script}`
