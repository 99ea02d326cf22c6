import { isChainNetwork, type ChainNetwork } from '../../model/network.js'

/** The networks that KasWare can be switched to; simnet it only ever shows. */
export const SWITCHABLE: readonly ChainNetwork[] = ['mainnet', 'testnet-10', 'testnet-12', 'devnet']

/** A network as the wallet names its `own`: KasWare says `kaspa_testnet_10`, some of its likes as we do. */
export const toName = (network: ChainNetwork, own: unknown): string =>
  isChainNetwork(own) ? network : `kaspa_${network.replaceAll('-', '_')}`

/** What outdated documents call mainnet; `testnet` alone has meant several networks and stays what it is. */
const MAINNET = ['livenet', '0']

/** A network in our spelling; one that has no counterpart here keeps its name. Null for no name: we are not permitted. */
export function readNetwork(name: unknown): string | null {
  if (typeof name !== 'string' || name === '') return null
  if (MAINNET.includes(name)) return 'mainnet'
  return name.replace(/^kaspa_/, '').replaceAll('_', '-')
}
