import { ChainRestError } from '../../errors/rest-error.js'
import type { Ask, Endpoint } from './endpoint.js'
import { NEVER, SETTLED } from '../asking/keep.js'
import type { ChainRestRequestOptions } from '../options.js'
import { appendQuery } from './question.js'

/** What a bare request takes beside the options of every call. */
export interface ChainRestRawRequestOptions extends ChainRestRequestOptions {
  /** What is undefined or null is left out. */
  readonly query?: Readonly<Record<string, string | number | bigint | boolean | null | undefined>> | undefined
  /** Sent as JSON, a bigint as decimal text. */
  readonly body?: unknown
  /** Under which the answer is kept, in place of method, path and body. `clearCache` finds it by its beginning. */
  readonly cacheKey?: string | undefined
}

/** Asks for whatever the server offers beyond the named operations. */
export interface RawRequest {
  /**
   * The parsed body of any endpoint, integers beyond 2^53 as bigint; `T` is the caller's claim and is not checked. A GET is
   * kept like other answers. A POST may have effects: it is sent once, and kept only with `cache: true`.
   */
  readonly request: <T>(method: 'GET' | 'POST', path: string, options?: ChainRestRawRequestOptions) => Promise<T>
}

export function createRawRequest(ask: Ask, baseUrl: string): RawRequest {
  return {
    async request<T>(method: 'GET' | 'POST', path: string, options: ChainRestRawRequestOptions = {}) {
      checkRequest(baseUrl, method, path)
      const { query = {}, body = null, cacheKey: key } = options
      const target = appendQuery(path, toPairs(query))
      const keep = method === 'GET' || options.cache === true ? SETTLED : NEVER
      const endpoint: Endpoint<'anything'> =
        method === 'GET'
          ? { get: target, reads: 'anything', keep, key }
          : { post: target, body: 'content', reads: 'anything', keep, key, once: true }
      return (await ask(endpoint, { content: body }, options)) as T // the caller's claim, as documented
    },
  }
}

/** The headers, and a key among them, go to the server of this client and to nobody else. */
function checkRequest(baseUrl: string, method: string, path: string): void {
  const argument = !/^(GET|POST)$/.test(method) ? 'method' : !isBelow(path) ? 'path' : undefined
  if (argument === undefined) return
  throw new ChainRestError({
    code: 'invalid-argument',
    method,
    url: baseUrl + path,
    argument,
    reason:
      argument === 'path'
        ? '"path" must begin with a single slash and lead nowhere else'
        : '"method" must be GET or POST',
    hint: 'Give a path below baseUrl, such as "/info/price".',
  })
}

/** Whether a path stays below the base URL. Dots that lead upwards may be written as `%2e` too. */
const isBelow = (path: string): boolean =>
  /^\/(?!\/)[^\s{}#\\]*$/.test(path) && !/\/(\.|%2e){1,2}(?=[/?]|$)/i.test(path.replace(/\?.*/, ''))

function toPairs(query: NonNullable<ChainRestRawRequestOptions['query']>): string[] {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
}
