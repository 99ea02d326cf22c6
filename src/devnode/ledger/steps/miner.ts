import { toScriptPublicKey } from '../../../model/address.js'
import { toHex } from '../../../model/hex.js'
import type { Miner } from '../block.js'

/** A miner's data as a node writes it: its own version stands in front of what the miner wants to say. */
export function toMiner(address: string, nodeVersion: string, extraData = ''): Miner {
  const version = toHex(new TextEncoder().encode(`${nodeVersion}/`))
  return { scriptPublicKey: toScriptPublicKey(address, 'address'), extraData: version + extraData }
}
