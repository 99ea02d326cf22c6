import { ChainError } from '../errors/chain-error.js'
import { redact } from '../errors/redact.js'
import { AVAILABLE_NETWORKS, isChainNetwork, type ChainNetwork } from '../model/network.js'
import { trimEnd } from '../model/trim-end.js'
import type { SchedulerLike } from 'rxjs'
import type { ChainRestErrorCode } from '../errors/rest-error.js'
import type { Platform } from '../platform/port.js'

/** Standard request headers, written without the DOM library. */
export type RestHeaders = NonNullable<ConstructorParameters<typeof Headers>[0]>

/** Options of a client. Times in ms. */
export interface ChainRestOptions {
  /** URL of the indexer. @default the network's public host; on simnet and devnet a devnode on this machine */
  readonly baseUrl?: string | undefined
  /** How long a response is fresh. @default the server's Cache-Control, else by operation */
  readonly staleTime?: number | undefined
  /** How long an unused response stays cached. @default by operation, 1 to 60 minutes */
  readonly cacheTime?: number | undefined
  /** Sent with every request. */
  readonly headers?: RestHeaders | undefined
  /** Replaces the platform's `fetch`. */
  readonly fetcher?: typeof fetch | undefined
  /**
   * Addresses of other networks are rejected before a request is sent. @default 'mainnet', unless `baseUrl` is given
   */
  readonly network?: ChainNetwork | undefined
  /** Limit of one call, retries included. @default 30000; 90000 for slow endpoints */
  readonly timeout?: number | undefined
  /** How often a read is retried after a transient failure. Submissions are never retried. @default 2 */
  readonly retries?: number | undefined
  /** Delay before the first retry, doubled with each; `Retry-After` takes precedence. @default 500 */
  readonly retryDelay?: number | undefined
  /** How many requests to the server may be in flight, of all its clients in an app; others are queued. @default 6 */
  readonly concurrency?: number | undefined
  /** Limit of a response body in bytes, after decompression; a longer one is aborted. @default 67108864, 64 MiB */
  readonly maxResponseSize?: number | undefined
}

/** Overrides for one call. Times in ms. */
export interface ChainRestRequestOptions {
  /** Sends a request even if a fresh response is cached; bypasses HTTP caches. */
  readonly forceRefresh?: boolean | undefined
  /** Maximum age of a cached response. */
  readonly staleTime?: number | undefined
  /** False: neither reads nor writes the cache, and bypasses HTTP caches. @default true */
  readonly cache?: boolean | undefined
  /** How long a stale response is returned while a new one is fetched. @default what the server grants, usually 0 */
  readonly staleWhileRevalidate?: number | undefined
  readonly timeout?: number | undefined
  /** Aborts the call; the request is aborted when no other call shares it. */
  readonly signal?: AbortSignal | undefined
}

/** Options that several calls may share. */
export type SharedRequestOptions = Pick<ChainRestRequestOptions, 'signal' | 'forceRefresh'>

const HOSTS: Readonly<Record<ChainNetwork, string>> = {
  mainnet: 'https://api.kaspa.org',
  'testnet-10': 'https://api-tn10.kaspa.org',
  'testnet-12': 'https://api-tn12.kaspa.org',
  simnet: 'http://127.0.0.1:18000',
  devnet: 'http://127.0.0.1:18000',
}

/** URL of a network's public indexer, or of the local devnode if there is none. */
export const restUrlOf = (network: ChainNetwork): string => HOSTS[network]

/** Options with the defaults that do not depend on the operation. */
export interface RestSettings extends ChainRestOptions {
  readonly baseUrl: string
  /** The base URL as errors show it: without the keys in its path. */
  readonly shownUrl: string
  readonly retries: number
  readonly retryDelay: number
  readonly concurrency: number
  readonly maxResponseSize: number
}

/** Fills in the defaults. Throws `ChainError` (`invalid-option`) that names the option and what is allowed. */
export function toSettings(options: ChainRestOptions = {}): RestSettings {
  const { network = options.baseUrl === undefined ? 'mainnet' : undefined } = options
  if (network !== undefined && !isChainNetwork(network)) throw invalidOption('network', AVAILABLE_NETWORKS.join(', '))
  for (const name of TIMES) checkTime(name, options[name])
  const { retries = 2, retryDelay = 500, concurrency = 6, maxResponseSize = 64 * 2 ** 20 } = options
  if (!Number.isInteger(retries) || retries < 0) throw invalidOption('retries', 'a whole number from 0')
  if (!Number.isInteger(concurrency) || concurrency < 1) throw invalidOption('concurrency', 'a whole number from 1')
  if (!Number.isInteger(maxResponseSize) || maxResponseSize < 1) {
    throw invalidOption('maxResponseSize', 'a whole number of bytes from 1')
  }
  const baseUrl = toBaseUrl(options.baseUrl ?? restUrlOf(network ?? 'mainnet'))
  return {
    ...options,
    network,
    baseUrl,
    shownUrl: redact(baseUrl, baseUrl),
    retries,
    retryDelay,
    concurrency,
    maxResponseSize,
  }
}

const TIMES = ['staleTime', 'cacheTime', 'timeout', 'retryDelay'] as const

function checkTime(name: string, value: number | undefined): void {
  if (value !== undefined && !(value >= 0)) throw invalidOption(name, 'milliseconds from 0')
}

/** The base URL without a trailing slash: the server rejects doubled slashes. */
function toBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isBare = url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === ''
  if (!isBare || !/^https?:$/.test(url.protocol)) {
    throw invalidOption('baseUrl', 'an http or https URL without credentials, query and fragment; keys go into headers')
  }
  return trimEnd(url.href, '/')
}

function invalidOption(name: string, allowed: string): ChainError<'invalid-option'> {
  return new ChainError(`The REST option "${name}" is not valid; allowed: ${allowed}`, {
    code: 'invalid-option',
    argument: name,
    hint: `Allowed: ${allowed}.`,
  })
}

/** The platform functions of a client; defaults to those of the JavaScript runtime. */
export interface RestPlatform extends Partial<Pick<Platform, 'fetch' | 'random'>> {
  /** For deadlines. */
  readonly scheduler?: SchedulerLike
  /** Receives every response of the cache, and the end of every HTTP request. */
  readonly onRest?: ((report: RestReport) => void) | undefined
}

/** How one request to the indexer ended. */
export interface RestReport {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  /** The HTTP status; null without a response, and for one of the cache. */
  readonly status: number | null
  readonly ms: number
  readonly source: 'cache' | 'server'
  readonly outcome: 'ok' | ChainRestErrorCode
}
