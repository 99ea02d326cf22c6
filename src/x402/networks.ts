import { invalidArgument } from '../errors/chain-error.js'
import type { ChainNetwork } from '../model/network.js'

/** A network as x402 names it. The namespace `kaspa` is proposed and not registered (ChainAgnostic#193). */
export type X402Network = `kaspa:${ChainNetwork}`

export const toX402Network = (network: ChainNetwork): X402Network => `kaspa:${network}`

/** The network of an engine. Throws `ChainError` (`invalid-argument`) for mainnet without consent. */
export function requireNetwork(network: ChainNetwork, mainnet: boolean | undefined): X402Network {
  if (network !== 'mainnet' || mainnet === true) return toX402Network(network)
  throw invalidArgument(
    'mainnet',
    'x402 on mainnet needs consent',
    'The binding is a draft that may change. Pass mainnet: true to accept that.',
  )
}
