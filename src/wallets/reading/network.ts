import { isChainNetwork, NETWORKS } from '../../model/network.js'
import type { WalletAccount } from '../port.js'

/**
 * Whether an address has the network's prefix. After a switch a wallet can report the new network with the old address.
 * True for an unknown network.
 */
export const isAddressOnNetwork = ({ address, network }: Pick<WalletAccount, 'address' | 'network'>): boolean =>
  !isChainNetwork(network) || address.startsWith(`${NETWORKS[network].addressPrefix}:`)
