import type { RpcMethod, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { Call } from '../../../src/operations/queries/call.js'

type Answers = { readonly [M in RpcMethod]?: RpcResponse<M> }

/** A node that answers from a script, and remembers what it was asked. */
export function scriptedCall(answers: Answers): { call: Call; asked: { method: string; request: unknown }[] } {
  const asked: { method: string; request: unknown }[] = []
  const call: Call = <M extends RpcMethod>(method: M, request: RpcRequest<M>) => {
    asked.push({ method, request })
    const answer: RpcResponse<M> | undefined = answers[method]
    return answer === undefined ? Promise.reject(new Error(`${method} is not in the script`)) : Promise.resolve(answer)
  }
  return { call, asked }
}
