import type { Endpoints } from './endpoint.js'
import { TIP } from '../requests/cache-policy.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestChaindInfoResponse, ChainRestHealthResponse } from '../records/health.js'

/** Health of the indexer and its node. */
export interface HealthOperations {
  /** Nodes and database. An unhealthy report (status 503) is returned too and never cached. */
  readonly getHealth: (options?: ChainRestRequestOptions) => Promise<ChainRestHealthResponse>
  /** The indexer's node. */
  readonly getChaindInfo: (options?: ChainRestRequestOptions) => Promise<ChainRestChaindInfoResponse>
}

export const healthEndpoints: Endpoints<HealthOperations> = {
  getHealth: { get: '/info/health', decoder: 'health', cache: TIP },
  getChaindInfo: { get: '/info/kaspad', decoder: 'chaindInfo', cache: TIP },
}
