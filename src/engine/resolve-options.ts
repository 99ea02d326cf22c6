import { type ChainNetwork, type RpcEncoding, NETWORKS } from '../model/network.js'
import type { ChainLogger, LogLine } from '../platform/port.js'
import {
  DEFAULT_HEARTBEAT,
  DEFAULT_RETRIES,
  NO_RETRIES,
  type HeartbeatPolicy,
  type RetryPolicy,
} from '../streams/connection/policy.js'
import type { Target } from '../streams/connection/endpoints.js'
import { checkOptions, invalidOption } from './check-options.js'
import type { ChainEngineOptions, RpcOptions } from './options.js'
import { shown, shownValue } from '../errors/shown.js'

const ALLOWED = 'a WebSocket URL such as "ws://127.0.0.1:17110" or "wss://node.example", or a host'

/** A host with optional port and path, without a scheme. */
const BARE = /^(?<host>[\w.-]+|\[[\da-f:]+\])(?<port>:\d+)?(?<path>\/(?!\/).*)?$/i

/** Options with all defaults that do not depend on the network. */
export interface ResolvedOptions extends ChainEngineOptions {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
  readonly autoConnect: boolean
  readonly connectTimeout: number
  readonly requestTimeout: number
  readonly retryPolicy: RetryPolicy
  /** Null: off. */
  readonly heartbeatPolicy: HeartbeatPolicy | null
  readonly logger: ChainLogger
}

/** Validates options and adds the defaults. Throws `ChainError` (`invalid-option`). */
export function resolveOptions(options: ChainEngineOptions): ResolvedOptions {
  checkOptions(options)
  const resolved: ResolvedOptions = {
    ...options,
    network: options.network ?? 'mainnet',
    encoding: options.encoding ?? 'Borsh',
    autoConnect: options.autoConnect ?? true,
    connectTimeout: options.connectTimeout ?? 10_000,
    requestTimeout: options.requestTimeout ?? 60_000,
    retryPolicy: options.reconnect === false ? NO_RETRIES : withDefaults(DEFAULT_RETRIES, options.reconnect),
    heartbeatPolicy: options.heartbeat === false ? null : withDefaults(DEFAULT_HEARTBEAT, options.heartbeat),
    logger: guarded(options.logger ?? silentLogger),
  }
  toTarget(resolved) // rejects a malformed URL now instead of at the first connect
  return resolved
}

/** Whether public resolvers serve the network. */
const isPublic = (network: ChainNetwork): boolean => network !== 'simnet' && network !== 'devnet'

/**
 * The connection target of the options, with `override` for one connection. Endpoints of the options apply to their
 * network only. Without endpoints and resolver the target is the local node.
 */
export function toTarget(options: ResolvedOptions, override: RpcOptions = {}): Target {
  const { network = options.network, encoding = options.encoding } = override
  // `override` may be a click event, which has other properties
  checkOptions({ network, encoding, url: override.url, resolver: override.resolver })
  const given = override.url === undefined && network === options.network ? urlsOf(options) : urlsOf(override)
  const urls = given.map(({ option, text }) => toEndpointUrl(text, option, network, encoding))
  const resolver = override.resolver ?? (override.url === undefined ? options.resolver : undefined)
  const usesResolver = resolver ?? (urls.length === 0 && isPublic(network))
  if (usesResolver && (isPublic(network) || options.resolvers !== undefined))
    return { network, encoding, urls, resolver: 'use' }
  return { network, encoding, urls: urls.length > 0 ? urls : [localUrl(network, encoding)], resolver: 'skip' }
}

/** The endpoints of the options, each with the path of its option. */
function urlsOf({ url, urls = [] }: Pick<ChainEngineOptions, 'url' | 'urls'>): { option: string; text: string }[] {
  const further = urls.map((text, at) => ({ option: `urls[${at}]`, text }))
  return url === undefined ? further : [{ option: 'url', text: url }, ...further]
}

/** An explicit `undefined` does not replace a default. */
function withDefaults<Values extends object>(
  defaults: Values,
  given: { readonly [Key in keyof Values]?: Values[Key] | undefined } | undefined,
): Values {
  return { ...defaults, ...Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)) }
}

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
const localUrl = (network: ChainNetwork, encoding: RpcEncoding): string =>
  `ws://127.0.0.1:${defaultPort(network, encoding)}`

const defaultPort = (network: ChainNetwork, encoding: RpcEncoding): number =>
  encoding === 'Borsh' ? NETWORKS[network].borshPort : NETWORKS[network].jsonPort

const noop = (): void => undefined

/** The default logger: writes nothing. */
export const silentLogger: ChainLogger = { debug: noop, info: noop, warn: noop, error: noop }

/** A logger whose lines have neither credentials nor control characters of a remote party. */
export function guarded(logger: ChainLogger): ChainLogger {
  if (logger === silentLogger) return logger
  const line =
    (level: keyof ChainLogger): LogLine =>
    (message, fields) =>
      // the copy of an object is one
      fields === undefined ? logger[level](shown(message)) : logger[level](shown(message), shownValue(fields) as object)
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}
