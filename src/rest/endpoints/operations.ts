import type { Inquire } from '../asking/ask.js'
import type { RestSettings } from '../options.js'
import { createAddressTransactionOperations, type AddressTransactionOperations } from './address-transactions.js'
import { createAddressOperations, type AddressOperations } from './addresses.js'
import { blockEndpoints, type BlockOperations } from './blocks.js'
import { createOperations, type Ask } from './endpoint.js'
import { healthEndpoints, type HealthOperations } from './health.js'
import { createInfoOperations, type InfoOperations } from './info.js'
import { createInquiries } from './inquiries.js'
import { checkTimes } from './question.js'
import { createRawRequest, type RawRequest } from './request.js'
import { createTransactionOperations, type TransactionOperations } from './transactions.js'
import { createUtxoOperations, type UtxoOperations } from './utxos.js'
import { virtualChainEndpoints, type VirtualChainOperations } from './virtual-chain.js'

/** Every operation of the indexer. Each rejects with `ChainRestError`; arguments are checked before anything is sent. */
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

/** `forget` drops kept answers by the beginning of their path. */
export function createRestOperations(
  settings: RestSettings,
  inquire: Inquire,
  forget: (path: string) => void,
): RestOperations {
  const ask = createAsk(settings, inquire)
  return {
    ...createAddressOperations(ask),
    ...createOperations<BlockOperations>(ask, blockEndpoints),
    ...createOperations<HealthOperations>(ask, healthEndpoints),
    ...createOperations<VirtualChainOperations>(ask, virtualChainEndpoints),
    ...createAddressTransactionOperations(ask, settings.baseUrl),
    ...createInfoOperations(ask),
    ...createRawRequest(ask, settings.baseUrl),
    ...createTransactionOperations(ask, forget),
    ...createUtxoOperations(ask, settings.baseUrl),
  }
}

/** What is known of an endpoint makes an inquiry, and that is answered. */
function createAsk(settings: RestSettings, inquire: Inquire): Ask {
  const toInquiry = createInquiries(settings)
  return async (endpoint, args = {}, options) => {
    const inquiry = toInquiry(endpoint, args, options)
    if (options !== undefined) checkTimes(options, inquiry.method, settings.baseUrl + inquiry.path)
    return inquire(inquiry, options)
  }
}
