import { ChainRestError } from '../../errors/rest-error.js'
import type { CallEndpoint, Endpoint } from './endpoint.js'
import { UNCACHED, SETTLED } from '../requests/cache-policy.js'
import type { ChainRestRequestOptions } from '../options.js'
import { appendQuery } from './build-request.js'

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

export function createRawRequest(call: CallEndpoint, shownUrl: string): RawRequest {
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
