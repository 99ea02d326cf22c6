import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Ledger, LedgerMethod } from '../../src/devnode/ledger/ledger.js'
import type { RpcEncoding } from '../../src/model/network.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from '../../src/node/messages/records.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import type { DecodedRequest, Frame } from '../../src/wrpc/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { textError } from '../../src/wrpc/wire-error.js'
import { NOW } from '../operations/transactions/ledger-dependencies.js'

/** The responses of a hostile node, by method. `undefined`: the response is withheld; an error becomes the node's. */
export type HostileResponders = {
  [M in RpcMethod]?: (request: RpcRequest<M>) => RpcResponse<M> | undefined
}

/** A node on loopback that speaks the wire protocol and sends whatever a test makes it send. */
export interface HostileNode {
  /** The URL by a host name of loopback. */
  url(host?: '127.0.0.1' | '127.0.0.2' | '127.0.0.3' | 'localhost'): string
  /** The received calls, oldest first. */
  readonly calls: readonly RpcMethod[]
  callCount(method: RpcMethod): number
  respond(responders: HostileResponders): void
  /** Sends a notification, `times` times. */
  notify(notification: NodeNotification, times?: number): void
  /** Sends a frame to all clients, valid or not. */
  send(frame: Frame): void
  /** Closes all connections. */
  drop(): void
  close(): Promise<void>
}

export const ENCODINGS = ['Borsh', 'SerdeJson'] as const satisfies readonly RpcEncoding[]

export const SERVER_INFO = fixtures.serverInfo({ virtualDaaScore: 1_000n })

const DEFAULTS: HostileResponders = {
  ping: () => ({}),
  getServerInfo: () => SERVER_INFO,
  subscribe: () => ({ id: 1n }),
  unsubscribe: () => ({}),
  getUtxosByAddresses: () => ({ entries: [] }),
  getMempoolEntriesByAddresses: () => ({ entries: [] }),
}

/** The defaults of a node over a ledger, which responds to the other calls. */
const LEDGER_DEFAULTS: HostileResponders = { getServerInfo: () => SERVER_INFO }

/**
 * Opens a node. The ledger of a devnode, if given, responds to calls without a responder; otherwise they are never
 * responded to. Nodes of several `loopback` addresses are endpoints of different hosts.
 */
export async function createHostileNode(
  encoding: RpcEncoding,
  given: HostileResponders = {},
  ledger?: Ledger,
  loopback: '127.0.0.1' | '127.0.0.2' | '127.0.0.3' = '127.0.0.1',
): Promise<HostileNode> {
  const codec = encoding === 'Borsh' ? createBorshCodec() : createJsonCodec()
  const server = new WebSocketServer({ host: loopback, port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const calls: RpcMethod[] = []
  let responders = { ...(ledger === undefined ? DEFAULTS : LEDGER_DEFAULTS), ...given }

  function replyTo(request: DecodedRequest): Frame | undefined {
    if (request.kind !== 'request') return undefined
    calls.push(request.method)
    return encodeReply(request.id, request.method, request.request)
  }
  function encodeReply<M extends RpcMethod>(id: bigint, method: M, request: RpcRequest<M>): Frame | undefined {
    const respond: HostileResponders[M] = responders[method]
    if (respond === undefined && ledger !== undefined) return encodeFromLedger(ledger, id, method, request)
    try {
      const response = respond?.(request)
      return response === undefined ? undefined : codec.encodeResponse(id, method, response)
    } catch (error) {
      return codec.encodeError(id, method, textError(error instanceof Error ? error.message : String(error)))
    }
  }
  function encodeFromLedger<M extends RpcMethod>(from: Ledger, id: bigint, method: M, request: RpcRequest<M>): Frame {
    const result = from.call(method as LedgerMethod, request, NOW)
    if (!result.ok) return codec.encodeError(id, method, textError(result.message))
    return codec.encodeResponse(id, method, result.value as never)
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
    url: (host = loopback) => `ws://${host}:${port}`,
    calls,
    callCount: (method) => calls.filter((called) => called === method).length,
    respond: (more) => {
      responders = { ...responders, ...more }
    },
    notify: (notification, times = 1) => {
      const frame = codec.encodeNotification(notification)
      for (let sent = 0; sent < times; sent++) send(frame)
    },
    send,
    drop,
    close: async () => {
      drop()
      server.close()
      await once(server, 'close')
    },
  }
}
