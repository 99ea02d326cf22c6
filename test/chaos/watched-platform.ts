import { transactionId } from '../../src/model/transaction-id.js'
import type { Transaction } from '../../src/model/transaction.js'
import type { Platform, PlatformSocket } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/server.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import type { WireCodec } from '../../src/wrpc/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'

/** A server's surroundings, with a look at what goes over its sockets. */
export interface WatchedPlatform extends Platform {
  /** The transactions that were sent to a node, by id, each with how often. */
  readonly submits: ReadonlyMap<string, Submit>
}

export interface Submit {
  readonly transaction: Transaction
  readonly times: number
}

export function createWatchedPlatform(): WatchedPlatform {
  const platform = createServerPlatform()
  const submits = new Map<string, Submit>()
  const count = (transaction: Transaction): void => {
    const id = transactionId(transaction)
    submits.set(id, { transaction, times: (submits.get(id)?.times ?? 0) + 1 })
  }
  return {
    ...platform,
    submits,
    openSocket: async (url) => watch(await platform.openSocket(url), count),
  }
}

/** The same socket; `submitted` hears of each transaction that is sent. */
function watch(socket: PlatformSocket, submitted: (transaction: Transaction) => void): PlatformSocket {
  const codecs = { borsh: createBorshCodec(), json: createJsonCodec() }
  const send = socket.send.bind(socket)
  socket.send = (data) => {
    const transaction = submittedBy(data, typeof data === 'string' ? codecs.json : codecs.borsh)
    if (transaction !== undefined) submitted(transaction)
    send(data)
  }
  return socket
}

function submittedBy(frame: string | Uint8Array<ArrayBuffer>, codec: WireCodec): Transaction | undefined {
  const request = codec.decodeRequest(frame)
  if (request.kind !== 'request' || request.method !== 'submitTransaction') return undefined
  return request.request.transaction
}
