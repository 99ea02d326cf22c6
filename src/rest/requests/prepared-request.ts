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

/** Caching of an operation's responses where neither options nor server decide. Times in ms. */
export interface CachePolicy {
  readonly staleTime: number
  /** How long an unused response stays cached; 0: not cached. */
  readonly cacheTime: number
  /** Follows the tip of the chain: bypasses HTTP caches, which may keep it for a day. */
  readonly live?: true
}

export const UNCACHED: CachePolicy = { staleTime: 0, cacheTime: 0, live: true }
export const TIP: CachePolicy = { staleTime: 5_000, cacheTime: 60_000, live: true }
export const ACCEPTANCE: CachePolicy = { staleTime: 2_000, cacheTime: 60_000, live: true }
export const ADDRESS: CachePolicy = { staleTime: 8_000, cacheTime: 60_000 }
export const MARKET: CachePolicy = { staleTime: 60_000, cacheTime: 300_000 }
export const SETTLED: CachePolicy = { staleTime: 30_000, cacheTime: 300_000 }
export const COMPUTED: CachePolicy = { staleTime: 300_000, cacheTime: 300_000 }
export const HISTORY: CachePolicy = { staleTime: 300_000, cacheTime: 3_600_000 }
/** Lists that the server recomputes at intervals. */
export const recomputed = (staleTime: number): CachePolicy => ({ staleTime, cacheTime: 900_000 })
