import type { Endpoints } from './endpoint.js'
import { TIP } from '../asking/keep.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestChaindInfoResponse, ChainRestHealthResponse } from '../records/health.js'

/** How the indexer and its node are. */
export interface HealthOperations {
  /** Nodes and database; an unhealthy server's report is an answer too, and never kept. */
  readonly getHealth: (options?: ChainRestRequestOptions) => Promise<ChainRestHealthResponse>
  /** The node that the indexer asks. */
  readonly getChaindInfo: (options?: ChainRestRequestOptions) => Promise<ChainRestChaindInfoResponse>
}

export const healthEndpoints: Endpoints<HealthOperations> = {
  getHealth: { get: '/info/health', reads: 'health', keep: TIP },
  getChaindInfo: { get: '/info/kaspad', reads: 'chaindInfo', keep: TIP },
}
