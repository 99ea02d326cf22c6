import { isChainNetwork, type ChainNetwork } from '../../model/network.js'

/** The networks that KasWare can be switched to; it can also report simnet. */
export const SWITCHABLE: readonly ChainNetwork[] = ['mainnet', 'testnet-10', 'testnet-12', 'devnet']

/** A network in the spelling of `own`: KasWare has `kaspa_testnet_10`, some compatible wallets `testnet-10`. */
export const toKaswareName = (network: ChainNetwork, own: unknown): string =>
  isChainNetwork(own) ? network : `kaspa_${network.replaceAll('-', '_')}`

/** Mainnet in outdated documentation. `testnet` alone is ambiguous and stays unchanged. */
const MAINNET = ['livenet', '0']

/**
 * A network in our spelling; an unknown one keeps its name. Null for an empty name, which means that the site has no
 * permission.
 */
export function readNetwork(name: unknown): string | null {
  if (typeof name !== 'string' || name === '') return null
  if (MAINNET.includes(name)) return 'mainnet'
  return name.replace(/^kaspa_/, '').replaceAll('_', '-')
}
