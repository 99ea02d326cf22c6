import { transactionId } from '../../src/model/transaction-id.js'
import type { Platform, PlatformSocket } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/server.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import type { WireCodec } from '../../src/wrpc/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'

/** A server's surroundings, with a look at what goes over its sockets. */
export interface WatchedPlatform extends Platform {
  /** How often each transaction was sent to a node. */
  readonly submits: ReadonlyMap<string, number>
}

export function createWatchedPlatform(): WatchedPlatform {
  const platform = createServerPlatform()
  const submits = new Map<string, number>()
  const count = (id: string): unknown => submits.set(id, (submits.get(id) ?? 0) + 1)
  return {
    ...platform,
    submits,
    openSocket: async (url) => watch(await platform.openSocket(url), count),
  }
}

/** The same socket; `submitted` hears of each transaction that is sent. */
function watch(socket: PlatformSocket, submitted: (transactionId: string) => void): PlatformSocket {
  const codecs = { borsh: createBorshCodec(), json: createJsonCodec() }
  const send = socket.send.bind(socket)
  socket.send = (data) => {
    const id = submittedBy(data, typeof data === 'string' ? codecs.json : codecs.borsh)
    if (id !== undefined) submitted(id)
    send(data)
  }
  return socket
}

function submittedBy(frame: string | Uint8Array<ArrayBuffer>, codec: WireCodec): string | undefined {
  const request = codec.decodeRequest(frame)
  if (request.kind !== 'request' || request.method !== 'submitTransaction') return undefined
  return transactionId(request.request.transaction)
}
