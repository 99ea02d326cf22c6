import { NETWORKS, type ChainNetwork, type RpcEncoding } from '../model/network.js'
import { invalidOption } from './invalid-option.js'

const ALLOWED = 'a WebSocket URL such as "ws://127.0.0.1:17110" or "wss://node.example", or a host'

/** A host, perhaps with a port, perhaps with a path: what people write who leave the scheme out. */
const BARE = /^(?<host>[\w.-]+|\[[\da-f:]+\])(?<port>:\d+)?(?<path>\/(?!\/).*)?$/i

/**
 * An endpoint as it will be dialled. Without a scheme it is `ws://`; then also without port and path it gets the port on
 * which nodes of `network` listen for `encoding`. Throws `ChainError` (`invalid-option`) for what is no WebSocket URL.
 */
export function toEndpointUrl(text: string, option: string, network: ChainNetwork, encoding: RpcEncoding): string {
  const bare = BARE.exec(text)?.groups
  const isBareHost = bare !== undefined && bare.port === undefined && bare.path === undefined
  const candidate = bare === undefined ? text : `ws://${text}${isBareHost ? `:${defaultPort(network, encoding)}` : ''}`
  if (!/^wss?:\/\/[^/]/i.test(candidate) || !URL.canParse(candidate)) throw invalidOption(option, text, ALLOWED)
  return candidate
}

/** Where a node of `network` on this machine listens: where a devnode does, too. */
export const localUrl = (network: ChainNetwork, encoding: RpcEncoding): string =>
  `ws://127.0.0.1:${defaultPort(network, encoding)}`

const defaultPort = (network: ChainNetwork, encoding: RpcEncoding): number =>
  encoding === 'Borsh' ? NETWORKS[network].borshPort : NETWORKS[network].jsonPort
