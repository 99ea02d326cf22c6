import type { AbortOptions } from '../../errors/abort-options.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toOutpointKey, toScriptKey, type UtxoEntry } from '../../model/utxo.js'
import type { QueryDeps } from './call.js'
import { invalidValue } from './checks.js'
import { validateArguments } from './validate-arguments.js'

/** An outpoint, with the script of its output. */
type OutpointQuery = Pick<UtxoEntry, 'outpoint' | 'scriptPublicKey'>

/** Looks up outpoints by the addresses of their scripts, with one call. */
export async function outpointQuery(
  outputs: readonly OutpointQuery[],
  { call, network }: QueryDeps,
  options?: AbortOptions,
): Promise<(UtxoEntry | null)[]> {
  const addresses = validateArguments('getUtxosByOutpoints', () => addressesOf(outputs, network()))
  if (addresses.length === 0) return []
  const { entries } = await call('getUtxosByAddresses', { addresses }, options)
  const found = new Map(entries.map((entry) => [toOutpointKey(entry.outpoint), entry]))
  return outputs.map(({ outpoint, scriptPublicKey }) => {
    const entry = found.get(toOutpointKey(outpoint))
    return entry !== undefined && toScriptKey(entry.scriptPublicKey) === toScriptKey(scriptPublicKey) ? entry : null
  })
}

function addressesOf(outputs: readonly OutpointQuery[], network: ChainNetwork): string[] {
  const addresses = outputs.map(({ scriptPublicKey }, at) => {
    const address = toAddress(scriptPublicKey, NETWORKS[network].addressPrefix)
    if (address === undefined) throw invalidValue(`outputs[${at}].scriptPublicKey`, 'a script with an address')
    return address
  })
  return [...new Set(addresses)]
}
