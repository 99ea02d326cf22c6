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
