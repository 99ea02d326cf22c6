import type { RpcMethod } from '../../src/node/messages/records.js'
import type { Platform, PlatformSocket } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import type { Frame } from '../../src/wrpc/codec.js'
import { replyTo, type WireResponders } from '../../test/wire-node.js'
import { bytesOf } from './bytes-of.js'
import { HANDSHAKE_RESPONDERS } from './handshake.js'

/** A platform with in-memory sockets: requests are served by the responders, notifications come from `receive`. */
export interface MemorySocket {
  readonly platform: Platform
  /** Delivers a message to the client. */
  readonly receive: (frame: Uint8Array<ArrayBuffer>) => void
}

export function createMemorySocket(responders: WireResponders): MemorySocket {
  let receive: MemorySocket['receive'] = () => undefined
  const openSocket = (): Promise<PlatformSocket> => {
    const socket = openMemorySocket({ ...HANDSHAKE_RESPONDERS, ...responders }, queueMicrotask)
    receive = (data) => socket.onmessage?.({ data })
    return Promise.resolve(socket)
  }
  return { platform: { ...createServerPlatform(), openSocket }, receive: (frame) => receive(frame) }
}

/** An open socket whose requests are responded to in Borsh, each after a turn. */
export function openMemorySocket(
  responders: WireResponders,
  afterTurn: (work: () => void) => void,
  onCall?: (method: RpcMethod) => void,
): PlatformSocket {
  const receive = (frame: Frame): void => afterTurn(() => socket.onmessage?.({ data: bytesOf(frame) }))
  const context = {
    codec: createBorshCodec(),
    responders,
    client: { send: receive, terminate: () => undefined },
    onCall,
  }
  const socket: PlatformSocket = {
    readyState: 1,
    bufferedAmount: 0,
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
    close: () => undefined,
    send: (frame) => {
      const reply = replyTo(frame, context)
      if (reply === undefined) throw new Error('A request has no response')
      receive(reply)
    },
  }
  return socket
}
