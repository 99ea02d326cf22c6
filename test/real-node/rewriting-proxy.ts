import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { WebSocket, WebSocketServer } from 'ws'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../src/node/messages/records.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'

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
  const server = new WebSocketServer({ host: loopback, port: 0 })
  await once(server, 'listening')
  let change: Rewrite | undefined
  let count = 0
  server.on('connection', (client) => serve(client, new WebSocket(nodeUrl), () => change))
  return {
    url: `ws://${loopback}:${(server.address() as AddressInfo).port}`,
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
    close: async () => {
      for (const client of server.clients) client.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

const codec = createBorshCodec()

interface Call {
  readonly method: RpcMethod
  readonly request: RpcRequest<RpcMethod>
}

function serve(client: WebSocket, node: WebSocket, change: () => Rewrite | undefined): void {
  const calls = new Map<bigint, Call>()
  const opened = once(node, 'open')
  client.on('message', (data: Buffer) => {
    const decoded = codec.decodeRequest(new Uint8Array(data))
    if (decoded.kind === 'request') calls.set(decoded.id, { method: decoded.method, request: decoded.request })
    opened.then(
      () => node.send(data),
      () => client.terminate(),
    )
  })
  node.on('message', (data: Buffer) => client.send(rewritten(data, calls, change())))
  for (const [one, other] of [
    [client, node],
    [node, client],
  ] as const) {
    one.on('close', () => other.terminate())
    one.on('error', () => other.terminate())
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
