import { combineLatest, map } from 'rxjs'
import type { MaybeRefOrGetter } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { queries } from '../../../engine/features/queries.js'
import { rpc } from '../../../engine/features/node-calls.js'
import type { RpcQueries } from '../../../operations/queries/rpc-queries.js'
import type { QueryFunctionContext } from '../../../query/options.js'
import { PENDING } from '../../../query/watched-query.js'
import { toStream, useStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'
import { unwrapOptions, type UseQueryOptions, toQueryRefs, type UseQueryReturn } from './reactive-query.js'

/** What the function of a node query receives. */
export interface RpcQueryContext extends QueryFunctionContext {
  /** Every query of the node. */
  readonly rpc: RpcQueries
}

export type UseRpcQueryOptions<T, Data = T> = UseQueryOptions<T, Data, RpcQueryContext>
export type UseRpcQueryReturn<Data> = UseQueryReturn<Data>

/**
 * The result of a query to the node, fetched once a ref is read: on each connect, when the key changes, and every
 * `refetchInterval`. Calls of one app with equal keys share result and requests, so the key must contain every input of
 * the query. Another network drops the result.
 * @example
 * const { data } = useRpcQuery({ queryKey: ['sink'], queryFn: ({ rpc, signal }) => rpc.getSink({ signal }) })
 */
export function useRpcQuery<T, Data = T>(
  options: MaybeRefOrGetter<UseRpcQueryOptions<T, Data>>,
): UseRpcQueryReturn<Data> {
  const core = useCore('useRpcQuery')
  const current$ = toStream(() => unwrapOptions(options))
  const query$ = combineLatest([current$, core.network$, core.session$]).pipe(
    map(([now, network, session]) => ({
      options: now,
      environment: {
        scope: ['rpc', network],
        isAvailable: session !== null,
        toContext: () => ({ rpc: feature(core, rpc) }),
      },
    })),
  )
  const { state$, refetch } = feature(core, queries).watch<T, Data, RpcQueryContext>(query$)
  return { ...toQueryRefs(useStream(state$, PENDING)), refetch }
}
