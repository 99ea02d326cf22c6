import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { isValidAddress } from '../../model/address.js'
import type { ChainNetwork } from '../../model/network.js'
import type { ServerInfo } from './server-state.js'

/**
 * The error of an address that cannot be subscribed to; undefined if it can. Checked here because a node accepts
 * addresses of other networks, and any address without a UTXO index, without an error.
 */
export function addressError(
  address: string,
  network: ChainNetwork,
  info: Pick<ServerInfo, 'hasUtxoIndex'> | null,
): ChainError | undefined {
  if (!isValidAddress(address, network)) return foreignAddress(address, network)
  if (info?.hasUtxoIndex === false) {
    return new ChainRpcError('subscribe', new ChainError('The node runs without the UTXO index'), {
      code: 'unsupported',
      hint: 'Run the node with --utxoindex, or set url to such a node.',
    })
  }
  return undefined
}

/** Throws `ChainRpcError` (`invalid-argument`) for the first address that is not of the network. */
export function requireAddresses(addresses: readonly string[], network: ChainNetwork): void {
  for (const address of addresses) {
    if (!isValidAddress(address, network)) throw foreignAddress(address, network)
  }
}

/** The error of an address that is not of the network. */
export const foreignAddress = (address: string, network: ChainNetwork): ChainRpcError =>
  new ChainRpcError('subscribe', new ChainError(`${address} is no address of ${network}`), {
    code: 'invalid-argument',
    argument: 'addresses',
    hint: `Give an address of ${network}.`,
  })
