import type { ChainNetwork } from '../../model/network.js'
import { BLOCK_QUERIES } from './block-queries.js'
import type { Call, CallOptions } from './call.js'
import { COIN_QUERIES } from './coin-queries.js'
import type { QueryEntry, QueryResult, QueryTable, SimpleQuery } from './entry.js'
import { NODE_QUERIES } from './node-queries.js'
import { refusedBy } from './refused-by.js'
import { toServerInfo } from './results.js'
import type { RpcQueries } from './rpc-queries.js'

export interface QueryDeps {
  readonly call: Call
  /** The network that is connected to, or will be. */
  readonly network: () => ChainNetwork
}

const TABLE: QueryTable = /*#__PURE__*/ Object.assign({}, NODE_QUERIES, BLOCK_QUERIES, COIN_QUERIES)

/** Every query, over a way to call. */
export function createQueries(deps: QueryDeps): RpcQueries {
  const names = Object.keys(TABLE) as SimpleQuery[]
  const simple = Object.fromEntries(names.map((name) => [name, createQuery(name, deps)]))
  return { ...(simple as Pick<RpcQueries, SimpleQuery>), getInfo: (options) => getInfo(deps, options) }
}

type Query<Q extends SimpleQuery> = (...args: Parameters<RpcQueries[Q]>) => Promise<QueryResult<Q>>

function createQuery<Q extends SimpleQuery>(name: Q, { call, network }: QueryDeps): Query<Q> {
  const entry: QueryEntry<Q> = TABLE[name]
  return async (...args): Promise<QueryResult<Q>> => {
    const request = refusedBy(name, () => entry.request(network(), ...args))
    const response = await call(name, request, args[entry.takes] as CallOptions | undefined)
    return entry.result(response, ...args)
  }
}

async function getInfo({ call }: QueryDeps, options?: CallOptions): ReturnType<RpcQueries['getInfo']> {
  const [server, info] = await Promise.all([call('getServerInfo', {}, options), call('getInfo', {}, options)])
  return toServerInfo(server, info)
}
