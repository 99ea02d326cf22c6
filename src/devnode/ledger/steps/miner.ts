import { toScriptPublicKey } from '../../../model/address.js'
import { toHex } from '../../../model/hex.js'
import type { Miner } from '../block.js'

/** Miner data of a coinbase: the node prefixes the extra data with its version. */
export function toMiner(address: string, nodeVersion: string, extraData = ''): Miner {
  const version = toHex(new TextEncoder().encode(`${nodeVersion}/`))
  return { scriptPublicKey: toScriptPublicKey(address, 'address'), extraData: version + extraData }
}
