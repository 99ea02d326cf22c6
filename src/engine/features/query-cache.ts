import { map } from 'rxjs'
import { createRpcQueryCache, type RpcQueryCache } from '../../streams/rpc-query.js'
import type { ChainCore } from '../core.js'

/** Node queries shared by several subscribers of a core. */
export const queryCache = ({ session$, network$, platform }: ChainCore): RpcQueryCache =>
  createRpcQueryCache({
    connected$: session$.pipe(map((session) => session !== null)),
    network$,
    scheduler: platform.scheduler,
  })
