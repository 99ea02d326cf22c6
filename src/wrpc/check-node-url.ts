import { ChainError } from '../errors/chain-error.js'
import type { ChainNetwork } from '../model/network.js'
import { isLoopbackHost, isPrivateHost } from '../model/ip.js'

/** The request to a resolver. */
export interface ResolverQuery {
  /** The resolver's own URL. */
  readonly resolver: string
  readonly network: ChainNetwork
  readonly encoding: 'borsh' | 'json'
  readonly secure: boolean
}

/**
 * The node URL of a resolver's response. Throws `ChainError` unless it is `wss` (on simnet and devnet also `ws` to
 * loopback), to a public host where the resolver is public, without credentials and query, and with no path but the one
 * that public nodes serve: `/kaspa/NETWORK/wrpc/ENCODING`.
 */
export function checkNodeUrl(body: unknown, { resolver, network, encoding, secure }: ResolverQuery): string {
  const text = typeof body === 'object' && body !== null && 'url' in body ? body.url : undefined
  if (typeof text !== 'string' || !URL.canParse(text)) throw new ChainError('The resolver returned no node URL')
  const url = new URL(text)
  const isLocal = network === 'simnet' || network === 'devnet'
  const isPlain = url.protocol === 'ws:' && !secure && isLocal && isLoopbackHost(url.hostname)
  if (url.protocol !== 'wss:' && !isPlain) throw rejected('it is not a wss URL')
  if (isPrivateHost(url.hostname) && !isPlain && !isPrivateHost(new URL(resolver).hostname)) {
    throw rejected('its address is private')
  }
  if (url.username !== '' || url.password !== '') throw rejected('it has credentials')
  if (url.search !== '' || url.hash !== '') throw rejected('it has a query')
  if (url.pathname !== '/' && url.pathname !== `/kaspa/${network}/wrpc/${encoding}`) throw rejected('it has a path')
  return text
}

const rejected = (reason: string): ChainError => new ChainError(`The node URL of the resolver was rejected: ${reason}`)
