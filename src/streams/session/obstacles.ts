import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { isValidAddress } from '../../model/address.js'
import type { ChainNetwork } from '../../model/network.js'
import type { ServerFacts } from './server-facts.js'

/**
 * Why an address cannot be watched, and nothing is sent: a node takes those of other networks, and those it has no index for,
 * without a word.
 */
export function obstacleTo(
  address: string,
  network: ChainNetwork,
  facts: Pick<ServerFacts, 'hasUtxoIndex'> | null,
): ChainError | undefined {
  if (!isValidAddress(address, network)) return foreignAddress(address, network)
  if (facts?.hasUtxoIndex === false) {
    return new ChainRpcError('subscribe', new ChainError('The node runs without the UTXO index'), {
      code: 'unsupported',
      hint: 'Run the node with --utxoindex, or give the url of one that does.',
    })
  }
  return undefined
}

/** Throws `ChainRpcError` (`invalid-argument`) for the first of some addresses that the network does not know. */
export function requireAddresses(addresses: readonly string[], network: ChainNetwork): void {
  for (const address of addresses) {
    if (!isValidAddress(address, network)) throw foreignAddress(address, network)
  }
}

/** An address that the network does not know. */
export const foreignAddress = (address: string, network: ChainNetwork): ChainRpcError =>
  new ChainRpcError('subscribe', new ChainError(`${address} is no address of ${network}`), {
    code: 'invalid-argument',
    argument: 'addresses',
    hint: `Give an address of ${network}.`,
  })
