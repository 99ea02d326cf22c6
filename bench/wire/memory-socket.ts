import type { RpcMethod, RpcRequest, RpcResponse } from '../../src/node/messages/records.js'
import type { Platform, PlatformSocket } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/server.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { bytesOf } from './bytes-of.js'
import { HANDSHAKE_RESPONSES, type Responses } from './handshake.js'

/** Responses that depend on the request, by method. */
export type Handlers = { readonly [M in RpcMethod]?: (request: RpcRequest<M>) => RpcResponse<M> }

/** A platform with in-memory sockets: requests are served from `responses`, notifications come from `receive`. */
export interface MemorySocket {
  readonly platform: Platform
  /** Delivers a message to the client. */
  readonly receive: (frame: Uint8Array<ArrayBuffer>) => void
}

export function createMemorySocket(overrides: Responses, handlers: Handlers = {}): MemorySocket {
  const responses: Responses = { ...HANDSHAKE_RESPONSES, ...overrides }
  const codec = createBorshCodec()
  let receive: MemorySocket['receive'] = () => undefined

  function respond(frame: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const request = codec.decodeRequest(frame)
    if (request.kind !== 'request') throw new Error(`Expected a request, got ${request.kind}`)
    const { id, method } = request
    const response = handlers[method]?.(request.request as never) ?? responses[method]
    if (response === undefined) throw new Error(`No response for ${method}`)
    return bytesOf(codec.encodeResponse(id, method, response))
  }

  const openSocket = (): Promise<PlatformSocket> => {
    const socket = openMemorySocket(respond, queueMicrotask)
    receive = (data) => socket.onmessage?.({ data })
    return Promise.resolve(socket)
  }
  return { platform: { ...createServerPlatform(), openSocket }, receive: (frame) => receive(frame) }
}

type Bytes = Uint8Array<ArrayBuffer>

/** An open socket whose requests are responded to, each after a turn. */
export function openMemorySocket(
  respond: (frame: string | Bytes) => Bytes,
  afterTurn: (work: () => void) => void,
): PlatformSocket {
  const socket: PlatformSocket = {
    readyState: 1,
    bufferedAmount: 0,
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
    close: () => undefined,
    send: (frame) => {
      const data = respond(frame)
      afterTurn(() => socket.onmessage?.({ data }))
    },
  }
  return socket
}
