import type { RpcMethod, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { Call } from '../../../src/operations/queries/call.js'

type Responses = { readonly [M in RpcMethod]?: RpcResponse<M> }

/** A `call` with scripted responses, and the log of its calls. */
export function scriptedCall(responses: Responses): { call: Call; calls: { method: string; request: unknown }[] } {
  const calls: { method: string; request: unknown }[] = []
  const call: Call = <M extends RpcMethod>(method: M, request: RpcRequest<M>) => {
    calls.push({ method, request })
    const response: RpcResponse<M> | undefined = responses[method]
    return response === undefined
      ? Promise.reject(new Error(`${method} has no scripted response`))
      : Promise.resolve(response)
  }
  return { call, calls }
}
