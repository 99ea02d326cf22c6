import { ChainError } from '../errors/chain-error.js'
import { AVAILABLE_NETWORKS, isChainNetwork, type ChainNetwork } from '../model/network.js'

/** Standard request headers, written so that the type needs no DOM library. */
export type RestHeaders = NonNullable<ConstructorParameters<typeof Headers>[0]>

/** How a client asks. All times in ms; everything is optional. */
export interface ChainRestOptions {
  /** Where the indexer is. @default the network's public host; on simnet and devnet a devnode on this machine */
  readonly baseUrl?: string | undefined
  /** How long an answer counts as fresh. @default what the server's Cache-Control grants, else what suits the operation */
  readonly staleTime?: number | undefined
  /** How long an answer that nobody asks for is kept. @default what suits the operation, 1 to 60 minutes */
  readonly cacheTime?: number | undefined
  /** Sent with every request. */
  readonly headers?: RestHeaders | undefined
  /** In place of the platform's `fetch`. */
  readonly fetcher?: typeof fetch | undefined
  /** Whose addresses are accepted; others are refused before anything is sent. @default 'mainnet', unless `baseUrl` is given */
  readonly network?: ChainNetwork | undefined
  /** How long one call may take, retries and all. @default 30000; 90000 where the server itself may need a minute */
  readonly timeout?: number | undefined
  /** How often a read that failed for a passing reason is asked again. Submitting is never repeated. @default 2 */
  readonly retries?: number | undefined
  /** Before the first retry, doubled with each; a `Retry-After` of the server goes before it. @default 500 */
  readonly retryDelay?: number | undefined
  /** How many requests to the server may be under way at a time, those of all its clients in an app; others wait their turn. @default 6 */
  readonly concurrency?: number | undefined
}

/** Overrides for one call. Times in ms. */
export interface ChainRestRequestOptions {
  /** Asks the server even where a fresh answer is at hand, past every cache on the way. */
  readonly forceRefresh?: boolean | undefined
  /** How old an answer may be. */
  readonly staleTime?: number | undefined
  /** False: neither takes the answer from the cache nor puts it there. @default true */
  readonly cache?: boolean | undefined
  /** How long past its freshness an answer is still given while a new one is fetched behind it. @default what the server grants, usually 0 */
  readonly staleWhileRevalidate?: number | undefined
  readonly timeout?: number | undefined
  /** Ends the call; the request itself ends when nobody else waits for it. */
  readonly signal?: AbortSignal | undefined
}

/** A network's own indexer. */
const HOSTS: Readonly<Record<ChainNetwork, string>> = {
  mainnet: 'https://api.kaspa.org',
  'testnet-10': 'https://api-tn10.kaspa.org',
  'testnet-12': 'https://api-tn12.kaspa.org',
  simnet: 'http://127.0.0.1:18000',
  devnet: 'http://127.0.0.1:18000',
}

/** Where a network's indexer is to be found: its public host, or the local devnode where there is none. */
export const restUrlOf = (network: ChainNetwork): string => HOSTS[network]

/** Options with everything decided that does not depend on the operation. */
export interface RestSettings extends ChainRestOptions {
  readonly baseUrl: string
  readonly retries: number
  readonly retryDelay: number
  readonly concurrency: number
}

/** Fills in the defaults. Throws `ChainError` (`invalid-option`) that names the option and what is allowed. */
export function toSettings(options: ChainRestOptions = {}): RestSettings {
  const { network = options.baseUrl === undefined ? 'mainnet' : undefined } = options
  if (network !== undefined && !isChainNetwork(network)) throw invalidOption('network', AVAILABLE_NETWORKS.join(', '))
  for (const name of TIMES) checkTime(name, options[name])
  const { retries = 2, retryDelay = 500, concurrency = 6 } = options
  if (!Number.isInteger(retries) || retries < 0) throw invalidOption('retries', 'a whole number from 0')
  if (!Number.isInteger(concurrency) || concurrency < 1) throw invalidOption('concurrency', 'a whole number from 1')
  const baseUrl = toBaseUrl(options.baseUrl ?? restUrlOf(network ?? 'mainnet'))
  return { ...options, network, baseUrl, retries, retryDelay, concurrency }
}

const TIMES = ['staleTime', 'cacheTime', 'timeout', 'retryDelay'] as const

function checkTime(name: string, value: number | undefined): void {
  if (value !== undefined && !(value >= 0)) throw invalidOption(name, 'milliseconds from 0')
}

/** The base URL without a trailing slash: the server knows no doubled ones. */
function toBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isBare = url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === ''
  if (!isBare || !/^https?:$/.test(url.protocol)) {
    throw invalidOption('baseUrl', 'an http or https URL without credentials, query and fragment; keys go into headers')
  }
  return url.href.replace(/\/+$/, '')
}

function invalidOption(name: string, allowed: string): ChainError<'invalid-option'> {
  return new ChainError(`The REST option "${name}" is not valid; allowed: ${allowed}`, {
    code: 'invalid-option',
    argument: name,
    hint: `Allowed: ${allowed}.`,
  })
}
