import { transactionId } from '../../src/model/transaction-id.js'
import type { Transaction } from '../../src/model/transaction.js'
import type { NodeNotification } from '../../src/node/messages/records.js'
import type { Platform, PlatformSocket } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/server.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import type { DecodedRequest, Frame, WireCodec } from '../../src/wrpc/codec.js'
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

/** A betrayal between client and node of which neither has a sign: what the books of a run are to show. */
export interface Tamper {
  /** How often something that the client sends goes out. */
  readonly sends?: (request: DecodedRequest) => number
  /** Whether a notification reaches the client. */
  readonly reaches?: (notification: NodeNotification) => boolean
}

export function createWatchedPlatform({ sends = () => 1, reaches }: Tamper = {}): WatchedPlatform {
  const platform = createServerPlatform()
  const submits = new Map<string, Submit>()
  const record = (transaction: Transaction): void => {
    const id = transactionId(transaction)
    submits.set(id, { transaction, times: (submits.get(id)?.times ?? 0) + 1 })
  }
  const watch = (socket: PlatformSocket): PlatformSocket => {
    const codecs = { borsh: createBorshCodec(), json: createJsonCodec() }
    const codecOf = (frame: Frame): WireCodec => (typeof frame === 'string' ? codecs.json : codecs.borsh)
    const send = socket.send.bind(socket)
    socket.send = (frame) => {
      const request = codecOf(frame).decodeRequest(frame)
      for (let time = sends(request); time > 0; time--) {
        if (request.kind === 'request' && request.method === 'submitTransaction') record(request.request.transaction)
        send(frame)
      }
    }
    if (reaches !== undefined) sift(socket, (frame) => isLetThrough(codecOf(frame).decodeMessage(frame), reaches))
    return socket
  }
  return { ...platform, submits, openSocket: async (url) => watch(await platform.openSocket(url)) }
}

const isLetThrough = (message: ReturnType<WireCodec['decodeMessage']>, reaches: NonNullable<Tamper['reaches']>) =>
  message.kind !== 'notification' || reaches(message.notification)

/** Lets a socket's listener hear only those messages that pass. */
function sift(socket: PlatformSocket, passes: (frame: Frame) => boolean): void {
  let listener: PlatformSocket['onmessage'] = null
  Object.defineProperty(socket, 'onmessage', {
    get: (): PlatformSocket['onmessage'] => (event) => {
      const frame = event.data instanceof ArrayBuffer ? new Uint8Array(event.data) : event.data
      if (passes(frame)) listener?.(event)
    },
    set: (next: PlatformSocket['onmessage']) => (listener = next),
  })
}
