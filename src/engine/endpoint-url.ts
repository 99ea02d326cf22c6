import { NETWORKS, type ChainNetwork, type RpcEncoding } from '../model/network.js'
import { invalidOption } from './invalid-option.js'

const ALLOWED = 'a WebSocket URL such as "ws://127.0.0.1:17110" or "wss://node.example", or a host'

/** A host with optional port and path, without a scheme. */
const BARE = /^(?<host>[\w.-]+|\[[\da-f:]+\])(?<port>:\d+)?(?<path>\/(?!\/).*)?$/i

/**
 * The full URL of an endpoint. The default scheme is `ws://`; a bare host gets the default port of `network` for
 * `encoding`. Throws `ChainError` (`invalid-option`) where the result is not a WebSocket URL.
 */
export function toEndpointUrl(text: string, option: string, network: ChainNetwork, encoding: RpcEncoding): string {
  const written = text
    .trim()
    .replace(/[\t\r\n]/g, '')
    .replaceAll(' ', '%20') // as URL reads it, in one word
  const bare = BARE.exec(written)?.groups
  const isBareHost = bare !== undefined && bare.port === undefined && bare.path === undefined
  const candidate =
    bare === undefined ? written : `ws://${written}${isBareHost ? `:${defaultPort(network, encoding)}` : ''}`
  if (!/^wss?:\/\/[^/]/i.test(candidate) || !URL.canParse(candidate)) throw invalidOption(option, text, ALLOWED)
  return candidate
}

/** The default URL of a local node or devnode of `network`. */
export const localUrl = (network: ChainNetwork, encoding: RpcEncoding): string =>
  `ws://127.0.0.1:${defaultPort(network, encoding)}`

const defaultPort = (network: ChainNetwork, encoding: RpcEncoding): number =>
  encoding === 'Borsh' ? NETWORKS[network].borshPort : NETWORKS[network].jsonPort
