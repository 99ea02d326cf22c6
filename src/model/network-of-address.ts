import { AVAILABLE_NETWORKS, NETWORKS, isChainNetwork, type ChainNetwork } from './network.js'

/**
 * The address prefix of a network, also of a testnet that this library does not know. Null for another unknown name.
 */
function prefixOf(network: string): string | null {
  if (isChainNetwork(network)) return NETWORKS[network].addressPrefix
  return network.startsWith('testnet') ? 'kaspatest' : null
}

/**
 * Whether an address has the network's prefix. True for an unknown network.
 */
export function isAddressOnNetwork(address: string, network: string | null): boolean {
  const prefix = network === null ? null : prefixOf(network)
  return prefix === null || address.startsWith(`${prefix}:`)
}

/**
 * The one network among `allowed` to which an address belongs; null if several have its prefix, as the testnets have.
 */
export function networkOfAddress(
  address: string,
  allowed: readonly ChainNetwork[] = AVAILABLE_NETWORKS,
): ChainNetwork | null {
  const matches = AVAILABLE_NETWORKS.filter((network) => address.startsWith(`${NETWORKS[network].addressPrefix}:`))
  if (matches.length === 1) return matches[0] ?? null
  const reachable = matches.filter((network) => allowed.includes(network))
  return reachable.length === 1 ? (reachable[0] ?? null) : null
}
