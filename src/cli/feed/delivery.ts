import type { ChainEngine } from '../../engine/engine.js'
import type { Feed } from '../../feed/create-feed.js'

/** What is delivered, and into what. */
export interface Delivery {
  readonly createFeed: (engine: ChainEngine) => Pick<Feed, 'run' | 'status$'>
  /** Ms after which another instance replaces a silent one; null where there is none. */
  readonly leaseTimeout: number | null
  readonly close: () => Promise<void>
}
