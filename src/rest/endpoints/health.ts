import { ChainRestError } from '../../errors/rest-error.js'
import type { CallEndpoint, Endpoints } from './endpoint.js'
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

/**
 * Rejects with `network` where the server has no synced node: the empty list that it sent then says nothing. The health
 * is always fetched, because a cached one may be older than the list. `options` are those of the call that got the
 * list.
 */
export async function requireSyncedNode(
  call: CallEndpoint,
  url: string,
  { signal, timeout }: ChainRestRequestOptions = {},
): Promise<void> {
  const { chaindServers } = await call(healthEndpoints.getHealth, {}, { signal, timeout, forceRefresh: true })
  if (chaindServers.some(({ isSynced }) => isSynced === true)) return
  throw new ChainRestError({
    code: 'network',
    status: 200,
    method: 'GET',
    url,
    reason: 'the list is empty because the server has no synced node',
    hint: 'Try again later, or use another server: `getHealth` shows the state of its nodes.',
  })
}
