import type { SentIds } from '../../model/bounded-collections.js'
import type { ExecuteRequest } from '../requests/execute-request.js'
import type { RestSettings } from '../options.js'
import { createAddressTransactionOperations, type AddressTransactionOperations } from './address-transactions.js'
import { createAddressOperations, type AddressOperations } from './addresses.js'
import { createBlockOperations, type BlockOperations } from './blocks.js'
import { createOperations, type CallEndpoint } from './endpoint.js'
import { healthEndpoints, type HealthOperations } from './health.js'
import { createInfoOperations, type InfoOperations } from './info.js'
import { createPrepareRequest } from './prepare-request.js'
import { checkTimes } from './build-request.js'
import { createRawRequest, type RawRequest } from './request.js'
import { createTransactionOperations, type TransactionOperations } from './transactions.js'
import { createUtxoOperations, type UtxoOperations } from './utxos.js'
import { createVirtualChainOperations, type VirtualChainOperations } from './virtual-chain.js'

/**
 * Every operation of the indexer. Each rejects with `ChainRestError`; arguments are checked before a request is sent.
 */
export interface RestOperations
  extends
    AddressOperations,
    AddressTransactionOperations,
    BlockOperations,
    HealthOperations,
    InfoOperations,
    RawRequest,
    TransactionOperations,
    UtxoOperations,
    VirtualChainOperations {}

/** `invalidate` removes cached responses by path prefix. */
export function createRestOperations(
  settings: RestSettings,
  executeRequest: ExecuteRequest,
  invalidate: (path: string) => void,
  sentIds: SentIds,
): RestOperations {
  const call = createCallEndpoint(settings, executeRequest)
  return {
    ...createAddressOperations(call),
    ...createBlockOperations(call, settings.shownUrl),
    ...createOperations<HealthOperations>(call, healthEndpoints),
    ...createVirtualChainOperations(call, settings.shownUrl),
    ...createAddressTransactionOperations(call, settings.shownUrl),
    ...createInfoOperations(call),
    ...createRawRequest(call, settings.shownUrl),
    ...createTransactionOperations(call, invalidate, sentIds),
    ...createUtxoOperations(call, settings.shownUrl),
  }
}

function createCallEndpoint(settings: RestSettings, executeRequest: ExecuteRequest): CallEndpoint {
  const prepareRequest = createPrepareRequest(settings)
  return async (endpoint, args = {}, options) => {
    const request = prepareRequest(endpoint, args, options)
    if (options !== undefined) checkTimes(options, request.method, settings.shownUrl + request.path)
    return executeRequest(request, options)
  }
}
