import { defer, filter, map, type Observable } from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcMethod } from '../../node/messages/records.js'
import type { NodeLink } from '../session/node-link.js'

/**
 * How long, in ms, a node may send notifications before the response to an earlier request: six times what kaspad 2.1.0
 * takes for the largest page.
 */
const MAX_NOTIFYING = 10_000

/**
 * Errors where a response is lost: the node has sent notifications for `MAX_NOTIFYING` since the request, so that
 * neither the line nor a large message before it delays the response. The chain does not wait for the timeout of calls
 * then. Without notifications nothing is known, and that timeout decides. Never emits.
 */
export const overdue$ = (
  { received$, platform }: Pick<NodeLink, 'received$' | 'platform'>,
  method: RpcMethod,
): Observable<never> =>
  defer(() => {
    let since: number | undefined
    const now = (): number => platform.scheduler.now()
    return received$.pipe(
      filter(() => now() - (since ??= now()) >= MAX_NOTIFYING),
      map(() => {
        throw overdue(method)
      }),
    )
  })

const overdue = (method: RpcMethod): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`Notifications arrived for ${MAX_NOTIFYING} ms, and no response`), {
    code: 'timeout',
  })
