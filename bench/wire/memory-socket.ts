import type { Platform, PlatformSocket } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/server.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { bytesOf } from './bytes-of.js'
import { GREETING, type Answers } from './greeting.js'

/** Surroundings whose sockets lead nowhere: what is asked is answered from `answers`, what is to be heard is told by hand. */
export interface MemorySocket {
  readonly platform: Platform
  /** Hands the socket's owner a message, as a socket does. */
  readonly tell: (frame: Uint8Array<ArrayBuffer>) => void
}

export function createMemorySocket(given: Answers): MemorySocket {
  const answers: Answers = { ...GREETING, ...given }
  const codec = createBorshCodec()
  let tell: MemorySocket['tell'] = () => undefined

  function answer(frame: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const request = codec.decodeRequest(frame)
    if (request.kind !== 'request') throw new Error(`A request that is ${request.kind}`)
    const { id, method } = request
    if (answers[method] === undefined) throw new Error(`${method} was asked for`)
    return bytesOf(codec.encodeResponse(id, method, answers[method]))
  }

  function openSocket(): Promise<PlatformSocket> {
    const socket: PlatformSocket = {
      readyState: 1,
      bufferedAmount: 0,
      onopen: null,
      onmessage: null,
      onerror: null,
      onclose: null,
      close: () => undefined,
      send: (frame) => {
        const data = answer(frame)
        queueMicrotask(() => socket.onmessage?.({ data }))
      },
    }
    tell = (data) => socket.onmessage?.({ data })
    return Promise.resolve(socket)
  }
  return { platform: { ...createServerPlatform(), openSocket }, tell: (frame) => tell(frame) }
}
