/** How long the answers of an operation stand, where neither the caller nor the server says. Times in ms. */
export interface Keep {
  readonly fresh: number
  /** How long an answer is kept that nobody asks for; 0: never kept. */
  readonly kept: number
  /** Follows the tip of the chain: never answered from an HTTP cache, which may hold it for a day. */
  readonly live?: true
}

export const NEVER: Keep = { fresh: 0, kept: 0, live: true }
export const TIP: Keep = { fresh: 5_000, kept: 60_000, live: true }
export const ACCEPTANCE: Keep = { fresh: 2_000, kept: 60_000, live: true }
export const ADDRESS: Keep = { fresh: 8_000, kept: 60_000 }
export const MARKET: Keep = { fresh: 60_000, kept: 300_000 }
export const SETTLED: Keep = { fresh: 30_000, kept: 300_000 }
export const COMPUTED: Keep = { fresh: 300_000, kept: 300_000 }
export const HISTORY: Keep = { fresh: 300_000, kept: 3_600_000 }
/** Lists that are made anew once in a while. */
export const slow = (fresh: number): Keep => ({ fresh, kept: 900_000 })
