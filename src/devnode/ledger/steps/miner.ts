import { toScriptPublicKey } from '../../../model/address.js'
import { toHex } from '../../../model/hex.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'
import type { Miner } from '../block.js'

/** Miner data of a coinbase that pays to an address. */
export const toMiner = (address: string, nodeVersion: string, extraData = ''): Miner =>
  minerOfScript(toScriptPublicKey(address, 'address'), nodeVersion, extraData)

/** Miner data of a coinbase: the node prefixes the extra data with its version. */
export function minerOfScript(scriptPublicKey: ScriptPublicKey, nodeVersion: string, extraData: string): Miner {
  const version = toHex(new TextEncoder().encode(`${nodeVersion}/`))
  return { scriptPublicKey, extraData: version + extraData }
}
