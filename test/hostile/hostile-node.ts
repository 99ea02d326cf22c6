import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { RpcEncoding } from '../../src/model/network.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from '../../src/node/messages/records.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import type { DecodedRequest, Frame } from '../../src/wrpc/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'

/** The responses of a hostile node, by method. `undefined`: the response is withheld. */
export type HostileResponders = {
  [M in RpcMethod]?: (request: RpcRequest<M>) => RpcResponse<M> | undefined
}

/** A node on loopback that speaks the wire protocol and sends whatever a test makes it send. */
export interface HostileNode {
  /** The URL by a host name of loopback. */
  url(host?: '127.0.0.1' | 'localhost'): string
  /** The received calls, oldest first. */
  readonly calls: readonly RpcMethod[]
  callCount(method: RpcMethod): number
  respond(responders: HostileResponders): void
  notify(notification: NodeNotification): void
  /** Sends a frame to all clients, valid or not. */
  send(frame: Frame): void
  /** Closes all connections. */
  drop(): void
  close(): Promise<void>
}

export const ENCODINGS = ['Borsh', 'SerdeJson'] as const satisfies readonly RpcEncoding[]

export const SERVER_INFO: RpcResponse<'getServerInfo'> = {
  rpcApiVersion: 1,
  rpcApiRevision: 0,
  serverVersion: '2.1.0',
  networkId: 'simnet',
  hasUtxoIndex: true,
  isSynced: true,
  virtualDaaScore: 1_000n,
}

const DEFAULTS: HostileResponders = {
  ping: () => ({}),
  getServerInfo: () => SERVER_INFO,
  subscribe: () => ({ id: 1n }),
  unsubscribe: () => ({}),
  getUtxosByAddresses: () => ({ entries: [] }),
  getMempoolEntriesByAddresses: () => ({ entries: [] }),
}

/** Opens a node. Calls without a responder are never responded to. */
export async function createHostileNode(encoding: RpcEncoding, given: HostileResponders = {}): Promise<HostileNode> {
  const codec = encoding === 'Borsh' ? createBorshCodec() : createJsonCodec()
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const calls: RpcMethod[] = []
  let responders = { ...DEFAULTS, ...given }

  function replyTo(request: DecodedRequest): Frame | undefined {
    if (request.kind !== 'request') return undefined
    calls.push(request.method)
    return encodeReply(request.id, request.method, request.request)
  }
  function encodeReply<M extends RpcMethod>(id: bigint, method: M, request: RpcRequest<M>): Frame | undefined {
    const respond: HostileResponders[M] = responders[method]
    const response = respond?.(request)
    return response === undefined ? undefined : codec.encodeResponse(id, method, response)
  }
  const send = (frame: Frame): void => server.clients.forEach((client) => client.send(frame))

  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      const reply = replyTo(codec.decodeRequest(isBinary ? new Uint8Array(data) : data.toString()))
      if (reply !== undefined) socket.send(reply)
    }),
  )
  const drop = (): void => server.clients.forEach((client) => client.terminate())
  return {
    url: (host = '127.0.0.1') => `ws://${host}:${port}`,
    calls,
    callCount: (method) => calls.filter((called) => called === method).length,
    respond: (more) => {
      responders = { ...responders, ...more }
    },
    notify: (notification) => send(codec.encodeNotification(notification)),
    send,
    drop,
    close: async () => {
      drop()
      server.close()
      await once(server, 'close')
    },
  }
}
