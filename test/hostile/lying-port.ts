import { map } from 'rxjs'
import type { RpcMethod, RpcResponse } from '../../src/node/messages/records.js'
import type { NodePort } from '../../src/node/port.js'

/** What a node changes in its responses; the others are true. */
export type Lies = { [M in RpcMethod]?: (response: RpcResponse<M>) => RpcResponse<M> }

/** Dials as `port` does. */
export const lying = (port: NodePort, lies: Lies): NodePort => ({
  dial: (endpoint) =>
    port.dial(endpoint).pipe(
      map(({ chainIds: _ids, chainBlocks: _blocks, utxoColumns: _columns, ...connection }) => ({
        ...connection,
        call: <M extends RpcMethod>(...args: Parameters<typeof connection.call<M>>) => {
          const lie: Lies[M] = lies[args[0]]
          return connection.call(...args).pipe(map((response) => lie?.(response) ?? response))
        },
      })),
    ),
})
