import { isChainNetwork, NETWORKS } from '../../model/network.js'
import type { WalletAccount } from '../port.js'

/**
 * Whether an address can belong to a network. A wallet that has just been switched may for a moment name the new network
 * and show the old address. Of a network we do not know nothing can be said against it.
 */
export const isOn = ({ address, network }: Pick<WalletAccount, 'address' | 'network'>): boolean =>
  !isChainNetwork(network) || address.startsWith(`${NETWORKS[network].addressPrefix}:`)
