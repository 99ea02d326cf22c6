import type { SentIds } from '../../model/bounded-collections.js'
import type { ExecuteRequest } from '../requests/execute-request.js'
import type { RestSettings, ChainRestRequestOptions } from '../options.js'
import { createAddressTransactionOperations, type AddressTransactionOperations } from './address-transactions.js'
import { createAddressOperations, type AddressOperations } from './addresses.js'
import { createBlockOperations, type BlockOperations } from './blocks.js'
import { createOperations, type CallEndpoint, type Endpoint } from './endpoint.js'
import { healthEndpoints, type HealthOperations, createInfoOperations, type InfoOperations } from './info.js'
import { createPrepareRequest, checkTimes, appendQuery } from './prepare-request.js'
import { createTransactionOperations, type TransactionOperations } from './transactions.js'
import { createUtxoOperations, type UtxoOperations } from './utxos.js'
import { createVirtualChainOperations, type VirtualChainOperations } from './virtual-chain.js'
import { ChainRestError } from '../../errors/rest-error.js'
import { UNCACHED, SETTLED } from '../requests/prepared-request.js'

/**
 * Every operation of the indexer. Each rejects with `ChainRestError`; arguments are checked before a request is sent.
 */
export interface RestOperations
  extends
    AddressOperations,
    AddressTransactionOperations,
    BlockOperations,
    HealthOperations,
    InfoOperations,
    RawRequest,
    TransactionOperations,
    UtxoOperations,
    VirtualChainOperations {}

/** `invalidate` removes cached responses by path prefix. */
export function createRestOperations(
  settings: RestSettings,
  executeRequest: ExecuteRequest,
  invalidate: (path: string) => void,
  sentIds: SentIds,
): RestOperations {
  const call = createCallEndpoint(settings, executeRequest)
  return {
    ...createAddressOperations(call),
    ...createBlockOperations(call, settings.shownUrl),
    ...createOperations<HealthOperations>(call, healthEndpoints),
    ...createVirtualChainOperations(call, settings.shownUrl),
    ...createAddressTransactionOperations(call, settings.shownUrl),
    ...createInfoOperations(call),
    ...createRawRequest(call, settings.shownUrl),
    ...createTransactionOperations(call, invalidate, sentIds),
    ...createUtxoOperations(call, settings.shownUrl),
  }
}

function createCallEndpoint(settings: RestSettings, executeRequest: ExecuteRequest): CallEndpoint {
  const prepareRequest = createPrepareRequest(settings)
  return async (endpoint, args = {}, options) => {
    const request = prepareRequest(endpoint, args, options)
    if (options !== undefined) checkTimes(options, request.method, settings.shownUrl + request.path)
    return executeRequest(request, options)
  }
}

/** Options of `request`. */
export interface ChainRestRawRequestOptions extends ChainRestRequestOptions {
  /** Undefined and null values are omitted. */
  readonly query?: Readonly<Record<string, string | number | bigint | boolean | null | undefined>> | undefined
  /** Sent as JSON, a bigint as decimal text. */
  readonly body?: unknown
  /** Cache key in place of method, path and body. `clearCache` matches its prefix. */
  readonly cacheKey?: string | undefined
}

/** Requests to endpoints without an operation of their own. */
export interface RawRequest {
  /**
   * The parsed body of any endpoint, integers beyond 2^53 as bigint; `T` is not checked. A GET is cached like other
   * responses. A POST may have side effects: it is never retried, and cached only with `cache: true`.
   */
  readonly request: <T>(method: 'GET' | 'POST', path: string, options?: ChainRestRawRequestOptions) => Promise<T>
}

function createRawRequest(call: CallEndpoint, shownUrl: string): RawRequest {
  return {
    async request<T>(method: 'GET' | 'POST', path: string, options: ChainRestRawRequestOptions = {}) {
      checkRequest(shownUrl, method, path)
      const { query = {}, body = null, cacheKey: key } = options
      const target = appendQuery(path, toPairs(query))
      const cache = method === 'GET' || options.cache === true ? SETTLED : UNCACHED
      const endpoint: Endpoint<'anything'> =
        method === 'GET'
          ? { get: target, decoder: 'anything', cache, key }
          : { post: target, body: 'content', decoder: 'anything', cache, key, once: true }
      return (await call(endpoint, { content: body }, options)) as T // unchecked, as documented
    },
  }
}

/** The headers may hold an API key, so only paths below `baseUrl` are allowed. */
function checkRequest(shownUrl: string, method: string, path: string): void {
  const argument = !/^(GET|POST)$/.test(method) ? 'method' : !isBelow(path) ? 'path' : undefined
  if (argument === undefined) return
  throw new ChainRestError({
    code: 'invalid-argument',
    method,
    url: shownUrl + path,
    argument,
    reason:
      argument === 'path'
        ? '"path" must begin with a single slash and stay below baseUrl, also when it is decoded'
        : '"method" must be GET or POST',
    hint: 'Pass a path below baseUrl, such as "/info/price".',
  })
}

/**
 * Whether a path stays below the base URL. Servers and proxies decode a path before they resolve its dot segments, some
 * of them twice, so the fully decoded path is checked.
 */
function isBelow(path: string): boolean {
  if (!/^\/[^\s{}#\\]*$/.test(path)) return false
  const decoded = decodeFully(path.split('?', 1)[0] ?? '')
  return decoded !== undefined && !decoded.startsWith('//') && !/[\\\p{Cc}]|\/\.{1,2}(\/|$)/u.test(decoded)
}

/**
 * Decodes as often as the text is encoded; undefined for an invalid encoding, or one nested deeper than servers decode.
 */
function decodeFully(text: string, depth = 0): string | undefined {
  if (!text.includes('%')) return text
  if (depth === MAX_DEPTH) return undefined
  try {
    return decodeFully(decodeURIComponent(text), depth + 1)
  } catch (error) {
    if (error instanceof URIError) return depth === 0 ? undefined : text // a literal `%` was encoded
    throw error
  }
}

const MAX_DEPTH = 5

function toPairs(query: NonNullable<ChainRestRawRequestOptions['query']>): string[] {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
}
