import type { ChainNetwork, RpcEncoding } from '../model/network.js'
import type { ChainLogger } from '../platform/port.js'
import {
  DEFAULT_HEARTBEAT,
  DEFAULT_RETRIES,
  NO_RETRIES,
  type HeartbeatPolicy,
  type RetryPolicy,
} from '../streams/connection/policy.js'
import type { Target } from '../streams/connection/target.js'
import { checkOptions } from './check-options.js'
import { localUrl, toEndpointUrl } from './endpoint-url.js'
import { silentLogger } from './logger.js'
import type { ChainEngineOptions, RpcOptions } from './options.js'

/** What a caller asked for, with every default that does not hang on the network filled in. */
export interface ResolvedOptions extends ChainEngineOptions {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
  readonly autoConnect: boolean
  readonly connectTimeout: number
  readonly requestTimeout: number
  readonly retries: RetryPolicy
  /** Null where it is switched off. */
  readonly beat: HeartbeatPolicy | null
  readonly logger: ChainLogger
}

/** Checks options and fills in the defaults. Throws `ChainError` (`invalid-option`). */
export function resolveOptions(options: ChainEngineOptions): ResolvedOptions {
  checkOptions(options)
  const resolved: ResolvedOptions = {
    ...options,
    network: options.network ?? 'mainnet',
    encoding: options.encoding ?? 'Borsh',
    autoConnect: options.autoConnect ?? true,
    connectTimeout: options.connectTimeout ?? 10_000,
    requestTimeout: options.requestTimeout ?? 60_000,
    retries: options.reconnect === false ? NO_RETRIES : withDefaults(DEFAULT_RETRIES, options.reconnect),
    beat: options.heartbeat === false ? null : withDefaults(DEFAULT_HEARTBEAT, options.heartbeat),
    logger: options.logger ?? silentLogger,
  }
  toTarget(resolved) // a malformed URL is to be refused now, not at the first connect
  return resolved
}

/** Networks that public resolvers serve. */
const isPublic = (network: ChainNetwork): boolean => network !== 'simnet' && network !== 'devnet'

/**
 * What is to be dialled: as the options say, with what `override` has for one connection. Endpoints that were given for
 * one network do not serve another. Without any, and without a resolver, it is the node on this machine.
 */
export function toTarget(options: ResolvedOptions, override: RpcOptions = {}): Target {
  const { network = options.network, encoding = options.encoding } = override
  checkOptions({ network, encoding, url: override.url, resolver: override.resolver }) // an event of a click may hold more
  const given = override.url === undefined && network === options.network ? urlsOf(options) : urlsOf(override)
  const urls = given.map(({ option, text }) => toEndpointUrl(text, option, network, encoding))
  const resolver = override.resolver ?? (override.url === undefined ? options.resolver : undefined)
  const asks = resolver ?? (urls.length === 0 && isPublic(network))
  if (asks && (isPublic(network) || options.resolvers !== undefined))
    return { network, encoding, urls, resolver: 'ask' }
  return { network, encoding, urls: urls.length > 0 ? urls : [localUrl(network, encoding)], resolver: 'leave' }
}

/** The endpoints of some options, each with the name of the option it stands in. */
function urlsOf({ url, urls = [] }: Pick<ChainEngineOptions, 'url' | 'urls'>): { option: string; text: string }[] {
  const further = urls.map((text, at) => ({ option: `urls[${at}]`, text }))
  return url === undefined ? further : [{ option: 'url', text: url }, ...further]
}

/** The defaults with what is given in their place; an explicit `undefined` is not given. */
function withDefaults<Values extends object>(
  defaults: Values,
  given: { readonly [Key in keyof Values]?: Values[Key] | undefined } | undefined,
): Values {
  return { ...defaults, ...Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)) }
}
