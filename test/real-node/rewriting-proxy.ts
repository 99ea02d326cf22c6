import { isDeepStrictEqual } from 'node:util'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../src/node/messages/records.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { startWireProxy, type ProxiedConnection } from './wire-proxy.js'

/** Changes a response of a node. */
export type Rewrite = <M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  response: RpcResponse<M>,
) => RpcResponse<M>

/** A proxy to a node that rewrites its responses. */
export interface RewritingProxy {
  readonly url: string
  /** Responses from now on are those of the node, changed; undefined for as they are. */
  rewrite(change: Rewrite | undefined): void
  /** How many responses the last change has rewritten. */
  rewritten(): number
  close(): Promise<void>
}

/** Opens a proxy on an address of loopback: endpoints of several addresses are endpoints of different hosts. Borsh. */
export async function startRewritingProxy(nodeUrl: string, loopback: string): Promise<RewritingProxy> {
  let change: Rewrite | undefined
  let count = 0
  const { url, close } = await startWireProxy(nodeUrl, () => serve(() => change), loopback)
  return {
    url,
    rewrite: (next) => {
      count = 0
      change =
        next &&
        ((method, request, response) => {
          const changed = next(method, request, response)
          if (!isDeepStrictEqual(changed, response)) count++
          return changed
        })
    },
    rewritten: () => count,
    close,
  }
}

const codec = createBorshCodec()

interface Call {
  readonly method: RpcMethod
  readonly request: RpcRequest<RpcMethod>
}

function serve(change: () => Rewrite | undefined): ProxiedConnection {
  const calls = new Map<bigint, Call>()
  return {
    fromClient(data, forward) {
      const decoded = codec.decodeRequest(new Uint8Array(data))
      if (decoded.kind === 'request') calls.set(decoded.id, { method: decoded.method, request: decoded.request })
      forward(data)
    },
    fromNode: (data) => rewritten(data, calls, change()),
  }
}

/** The frame of a response with the change; any other frame as it is. */
function rewritten(data: Buffer, calls: Map<bigint, Call>, change: Rewrite | undefined): Uint8Array | string {
  const message = codec.decodeMessage(new Uint8Array(data), (id) => calls.get(id)?.method)
  if (message.kind === 'notification' || message.id === undefined) return data
  const call = calls.get(message.id)
  calls.delete(message.id)
  if (change === undefined || call === undefined || message.kind !== 'response') return data
  return codec.encodeResponse(message.id, call.method, change(call.method, call.request, message.response))
}
