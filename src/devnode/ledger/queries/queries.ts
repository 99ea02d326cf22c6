import { blockQueries } from './blocks.js'
import { coinQueries } from './coins.js'
import { feeQueries } from './fees.js'
import { mempoolQueries } from './mempool.js'
import { rewardQueries } from './rewards.js'
import type { RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import type { Answer } from '../answer.js'
import type { Queries, Query, Scope } from './scope.js'
import { timeQueries } from './times.js'
import { transactionQueries } from './transactions.js'
import { virtualChainQueries } from './virtual-chain.js'

const templateQueries: Queries<'getBlockTemplate'> = {
  getBlockTemplate: ({ templates, network, nodeVersion, now }, request) =>
    templates.answer(network, nodeVersion, request, now),
}

/** Every call whose answer lies in the ledger and that changes no block. */
const queries = {
  ...blockQueries,
  ...rewardQueries,
  ...virtualChainQueries,
  ...coinQueries,
  ...mempoolQueries,
  ...transactionQueries,
  ...feeQueries,
  ...timeQueries,
  ...templateQueries,
}

/** The calls whose answer lies in the ledger. */
export type LedgerMethod = keyof typeof queries

export function answerQuery<M extends LedgerMethod>(
  scope: Scope,
  method: M,
  request: RpcRequest<M>,
): Answer<RpcResponse<M>> {
  const table: { readonly [K in LedgerMethod]: Query<K> } = queries
  return table[method](scope, request)
}
