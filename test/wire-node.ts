import type { WebSocket } from 'ws'
import type { RpcEncoding } from '../src/model/network.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from '../src/node/messages/records.js'
import { fixtures } from '../src/testing/fixtures/fixtures.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import type { Frame, WireCodec } from '../src/wrpc/codec.js'
import { createJsonCodec } from '../src/wrpc/json/codec.js'
import { textError } from '../src/wrpc/wire-errors.js'
import { startWebSocketServer } from './web-socket-server.js'

/** The node's end of a connection. */
export interface WireClient {
  send(frame: Frame): void
  terminate(): void
}

/** A received call. */
export interface WireCall<M extends RpcMethod> {
  readonly id: bigint
  readonly codec: WireCodec
  readonly client: WireClient
  /** The frame of a response to this call. */
  encode(response: RpcResponse<M>): Frame
}

/**
 * The responses of a node, by method: a record, or a frame that is sent as it is. `undefined`: the response is
 * withheld; a thrown error becomes the node's.
 */
export type WireResponders = {
  readonly [M in RpcMethod]?: (request: RpcRequest<M>, call: WireCall<M>) => RpcResponse<M> | Frame | undefined
}

/** A node on loopback that speaks the wire protocol and sends whatever a test makes it send. */
export interface WireNode {
  /** The URL, by default by the address that it listens on. */
  url(host?: string): string
  readonly codec: WireCodec
  /** Its ends of the open connections. */
  readonly clients: ReadonlySet<WebSocket>
  /** The received calls, oldest first. */
  readonly calls: readonly RpcMethod[]
  callCount(method: RpcMethod): number
  /** Sets responses to later calls. */
  respond(responders: WireResponders): void
  /** Sends a notification to all clients, subscribed or not, `times` times. */
  notify(notification: NodeNotification, times?: number): void
  /** Sends a frame to all clients, valid or not. */
  send(frame: Frame): void
  /** Closes all connections. */
  drop(): void
  close(): Promise<void>
}

export const ENCODINGS = ['Borsh', 'SerdeJson'] as const satisfies readonly RpcEncoding[]

export const SERVER_INFO = fixtures.serverInfo({ virtualDaaScore: 1_000n })

const DEFAULTS: WireResponders = {
  ping: () => ({}),
  getServerInfo: () => SERVER_INFO,
  subscribe: () => ({ id: 1n }),
  unsubscribe: () => ({}),
  getUtxosByAddresses: () => ({ entries: [] }),
  getMempoolEntriesByAddresses: () => ({ entries: [] }),
}

/**
 * Opens a synced node without UTXOs. Calls without a responder are never responded to. Nodes of several `loopback`
 * addresses are endpoints of different hosts.
 */
export async function startWireNode(
  encoding: RpcEncoding,
  given: WireResponders = {},
  loopback = '127.0.0.1',
): Promise<WireNode> {
  const codec = encoding === 'Borsh' ? createBorshCodec() : createJsonCodec()
  const calls: RpcMethod[] = []
  let responders = { ...DEFAULTS, ...given }
  const serve = (client: WebSocket): void =>
    void client.on('message', (data: Buffer, isBinary: boolean) => {
      const frame = isBinary ? Uint8Array.from(data) : data.toString()
      const reply = replyTo(frame, { codec, responders, client, onCall: (method) => calls.push(method) })
      if (reply !== undefined) client.send(reply)
    })
  const { port, clients, drop, close } = await startWebSocketServer(serve, loopback)
  const send = (frame: Frame): void => clients.forEach((client) => client.send(frame))
  return {
    url: (host = loopback) => `ws://${host}:${port}`,
    codec,
    clients,
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
    close,
  }
}

/** What replies to a frame. */
export interface WireContext {
  readonly codec: WireCodec
  readonly responders: WireResponders
  readonly client: WireClient
  readonly onCall?: ((method: RpcMethod) => void) | undefined
}

/** The reply of a node to a frame of its client; undefined for none. */
export function replyTo(frame: Frame, context: WireContext): Frame | undefined {
  const decoded = context.codec.decodeRequest(frame)
  if (decoded.kind !== 'request') return undefined
  context.onCall?.(decoded.method)
  return reply(decoded.id, decoded.method, decoded.request, context)
}

function reply<M extends RpcMethod>(
  id: bigint,
  method: M,
  request: RpcRequest<M>,
  { codec, responders, client }: WireContext,
): Frame | undefined {
  const respond: WireResponders[M] = responders[method]
  const encode = (response: RpcResponse<M>): Frame => codec.encodeResponse(id, method, response)
  try {
    const response = respond?.(request, { id, codec, client, encode })
    return response === undefined || isFrame(response) ? response : encode(response)
  } catch (error) {
    return codec.encodeError(id, method, textError(error instanceof Error ? error.message : String(error)))
  }
}

const isFrame = (response: object | Frame): response is Frame =>
  typeof response === 'string' || response instanceof Uint8Array
