import { blockQueries } from './blocks.js'
import { utxoQueries } from './utxos.js'
import { feeQueries } from './fees.js'
import { mempoolQueries, transactionQueries } from './mempool.js'
import { rewardQueries } from './rewards.js'
import type { RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import type { RpcResult } from '../result.js'
import type { Queries, Query, Scope } from './scope.js'
import { timeQueries } from './times.js'
import { virtualChainQueries } from './virtual-chain.js'

const templateQueries: Queries<'getBlockTemplate'> = {
  getBlockTemplate: ({ templates, network, nodeVersion, now }, request) =>
    templates.create(network, nodeVersion, request, now),
}

/** Every RPC method that the ledger implements and that adds no block. */
const queries = /*#__PURE__*/ (() => ({
  ...blockQueries,
  ...rewardQueries,
  ...virtualChainQueries,
  ...utxoQueries,
  ...mempoolQueries,
  ...transactionQueries,
  ...feeQueries,
  ...timeQueries,
  ...templateQueries,
}))()

export type LedgerMethod = keyof typeof queries

export function runQuery<M extends LedgerMethod>(
  scope: Scope,
  method: M,
  request: RpcRequest<M>,
): RpcResult<RpcResponse<M>> {
  const table: { readonly [K in LedgerMethod]: Query<K> } = queries
  return table[method](scope, request)
}
