import { BLOCK_QUERIES } from './block-queries.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import type { QueryDeps } from './call.js'
import { UTXO_QUERIES } from './utxo-queries.js'
import type { QueryEntry, QueryResult, QueryTable, SimpleQuery } from './entry.js'
import { NODE_QUERIES } from './node-queries.js'
import { submitQuery } from './submit-query.js'
import { outpointQuery } from './outpoint-query.js'
import { validateArguments } from './validate-arguments.js'
import { toServerInfo } from './results.js'
import type { RpcQueries } from './rpc-queries.js'

const TABLE: QueryTable = /*#__PURE__*/ Object.assign({}, NODE_QUERIES, BLOCK_QUERIES, UTXO_QUERIES)

export function createQueries(deps: QueryDeps): RpcQueries {
  const names = Object.keys(TABLE) as SimpleQuery[]
  const simple = Object.fromEntries(names.map((name) => [name, createQuery(name, deps)]))
  return {
    ...(simple as Pick<RpcQueries, SimpleQuery>),
    getInfo: (options) => getInfo(deps, options),
    getUtxosByOutpoints: (outputs, options) => outpointQuery(outputs, deps, options),
    submitTransaction: (transaction, allowOrphan = false, options) =>
      submitQuery('submitTransaction', { transaction, allowOrphan }, deps, options),
    submitTransactionReplacement: (transaction, options) =>
      submitQuery('submitTransactionReplacement', { transaction }, deps, options),
  }
}

type Query<Q extends SimpleQuery> = (...args: Parameters<RpcQueries[Q]>) => Promise<QueryResult<Q>>

function createQuery<Q extends SimpleQuery>(name: Q, { call, network }: QueryDeps): Query<Q> {
  const entry: QueryEntry<Q> = TABLE[name]
  return async (...args): Promise<QueryResult<Q>> => {
    const request = validateArguments(name, () => entry.request(network(), ...args))
    const response = await call(name, request, args[entry.argumentCount] as AbortOptions | undefined)
    return entry.result(response, ...args)
  }
}

async function getInfo({ call }: QueryDeps, options?: AbortOptions): ReturnType<RpcQueries['getInfo']> {
  const [server, info] = await Promise.all([call('getServerInfo', {}, options), call('getInfo', {}, options)])
  return toServerInfo(server, info)
}
