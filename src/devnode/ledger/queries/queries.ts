import { toScriptPublicKey } from '../../../model/address.js'
import { succeed, fail, type RpcResult } from '../result.js'
import type { Queries, Query, Scope } from './scope.js'
import { MAX_SOMPI } from '../../../model/amount.js'
import { scriptKey } from '../utxo-set.js'
import { firstIndexWhere } from '../chain/chain-state.js'
import { blockQueries, rewardQueries } from './blocks.js'
import { feeQueries, mempoolQueries, transactionQueries } from './mempool.js'
import type { RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import { timeQueries } from './times.js'
import { virtualChainQueries } from './virtual-chain.js'

/** Queries of UTXOs and balances. Addresses are compared by script; their prefix is ignored. */
const utxoQueries: Queries<
  'getUtxosByAddresses' | 'getBalanceByAddress' | 'getBalancesByAddresses' | 'getCoinSupply' | 'getUtxoReturnAddress'
> = {
  getUtxosByAddresses: ({ network: { state } }, { addresses }) => {
    const scripts = addresses.map((address) => toScriptPublicKey(address))
    const unique = [...new Map(scripts.map((script) => [scriptKey(script), script])).values()]
    return succeed({ entries: unique.flatMap((script) => [...state.utxos.ofScript(script)]) })
  },

  getBalanceByAddress: ({ network: { state } }, { address }) =>
    succeed({ balance: state.utxos.balanceOf(toScriptPublicKey(address)) }),

  getBalancesByAddresses: ({ network: { state } }, { addresses }) =>
    succeed({
      entries: addresses.map((address) => ({ address, balance: state.utxos.balanceOf(toScriptPublicKey(address)) })),
    }),

  getCoinSupply: ({ network: { state } }) => succeed({ maxSompi: MAX_SOMPI, circulatingSompi: state.utxos.supply }),

  getUtxoReturnAddress: ({ network: { state } }, { txid, acceptingBlockDaaScore }) => {
    const { chain, dag } = state
    const scoreAt = (index: number): bigint => dag.get(chain.at(index)).header.daaScore
    const index = firstIndexWhere(chain.length, (at) => scoreAt(at) >= acceptingBlockDaaScore)
    if (index === chain.length || scoreAt(index) !== acceptingBlockDaaScore)
      return fail('utxo inquirer error: Transaction not found at given accepting daa score')
    const merged = state.acceptanceOf(chain.at(index))?.merged ?? []
    const accepted = merged.flatMap((block) => block.accepted).find(({ known }) => known.id === txid)
    if (accepted === undefined)
      return fail(`utxo inquirer error: Did not find queried transactions in acceptance data: [${txid}]`)
    const [first] = accepted.spent
    if (first === undefined) return fail('utxo inquirer error: Transaction return address is coinbase')
    if (first.address === undefined) return fail('utxo inquirer error: Transaction was found but not standard')
    return succeed({ returnAddress: first.address })
  },
}

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
