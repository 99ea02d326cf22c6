import { firstValueFrom } from 'rxjs'
import { ChainRpcError } from '../../../../src/errors/rpc-error.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from '../../../../src/node/messages/records.js'
import type { Endpoint, NodePort } from '../../../../src/node/port.js'
import { textError } from '../../../../src/wrpc/wire-errors.js'
import { RpcRejection, type TestClient } from './client.js'
import { createNotificationLog } from './notification-log.js'

/** A client over a connection of a `NodePort`. */
export async function connectByPort(port: NodePort, endpoint: Endpoint): Promise<TestClient> {
  const connection = await firstValueFrom(port.dial(endpoint))
  const log = createNotificationLog()
  connection.notifications$.subscribe((notification: NodeNotification) => log.add(notification))
  const call = async <M extends RpcMethod>(method: M, request: RpcRequest<M>): Promise<RpcResponse<M>> => {
    try {
      return await firstValueFrom(connection.call(method, request))
    } catch (error) {
      throw error instanceof ChainRpcError && error.code === 'remote'
        ? new RpcRejection(textError(error.details))
        : error
    }
  }
  return {
    ...log.reads,
    call,
    rejection: async (method, request) => {
      const outcome = await call(method, request).catch((error: unknown) => error)
      if (outcome instanceof RpcRejection) return outcome.message
      throw outcome instanceof Error ? outcome : new Error(`${method} was not rejected`)
    },
    subscribe: async (scope) => (await call('subscribe', { scope })).id,
    unsubscribe: async (scope) => {
      await call('unsubscribe', { scope })
    },
    close: () => connection.close(),
  }
}
