import type { CachePolicy } from './cache-policy.js'

/** Method and URL, as errors report them. */
export interface RequestTarget {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** As configured. */
  readonly baseUrl?: string
}

/** A response that was decoded and validated. */
export interface DecodedResponse<T> {
  readonly value: T
  readonly status: number
  readonly headers: Headers
}

/** A request that is ready to be sent, with the decoding and caching of its response. */
export interface PreparedRequest<T> {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  /** JSON. */
  readonly body?: string | undefined
  readonly cache: CachePolicy
  /** Cache key: equal keys mean equal responses. */
  readonly key: string
  /** The server may need a minute. */
  readonly slow?: true | undefined
  /** Has side effects: never retried, and not queued behind reads. */
  readonly once?: true | undefined
  /** Called when the request is handed to the network. */
  readonly onSend?: (() => void) | undefined
  /** Rejects with `ChainRestError` for an error status, an invalid body, or one longer than `maxSize` bytes. */
  readonly read: (target: RequestTarget, response: Response, maxSize: number) => Promise<DecodedResponse<T>>
  /** Whether the response may be cached as long as the server grants. */
  readonly isSettled: (value: T) => boolean
}
