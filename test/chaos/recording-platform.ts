import type { SchedulerAction, SchedulerLike } from 'rxjs'
import { transactionId } from '../../src/model/transaction-id.js'
import type { Transaction } from '../../src/model/transaction.js'
import type { NodeNotification } from '../../src/node/messages/records.js'
import type { Platform, PlatformSocket } from '../../src/platform/port.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import type { DecodedRequest, Frame, WireCodec } from '../../src/wrpc/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'

/**
 * A client keeps the UTXOs of a payment reserved for 60 s after its submission, and for 10 minutes after a reorg
 * reverted it. A run does not wait for payments that the network has dropped: delays from 60 s on are one second.
 */
const LONG_DELAY = 60_000
const SHORT_DELAY = 1_000

/** A platform with shorter long delays, recording what its sockets send. */
export interface RecordingPlatform extends Platform {
  /** Submitted transactions by id, with the number of submissions. */
  readonly submits: ReadonlyMap<string, Submit>
  readonly tamper: Tamper | undefined
  /** Number of messages that tampering has kept from the client or from the node. */
  readonly dropped: number
  /**
   * Tampers from here on: a client that has not started yet would receive in its first snapshot what is dropped before
   * it.
   */
  startTampering(): void
}

export interface Submit {
  readonly transaction: Transaction
  readonly times: number
}

/** Undetectable corruption between client and node, to test the report of a run. */
export interface Tamper {
  /** How many times a request of the client is sent. */
  readonly sendCount?: (request: DecodedRequest) => number
  /** Whether the client receives a notification. */
  readonly delivers?: (notification: NodeNotification) => boolean
}

export function createRecordingPlatform(platform: Platform, tamper?: Tamper): RecordingPlatform {
  const { sendCount = () => 1, delivers = () => true } = tamper ?? {}
  let isTampering = false
  let dropped = 0
  const submits = new Map<string, Submit>()
  const record = (transaction: Transaction): void => {
    const id = transactionId(transaction)
    submits.set(id, { transaction, times: (submits.get(id)?.times ?? 0) + 1 })
  }
  const watch = (socket: PlatformSocket): PlatformSocket => {
    const codecs = { borsh: createBorshCodec(), json: createJsonCodec() }
    const codecOf = (frame: Frame): WireCodec => (typeof frame === 'string' ? codecs.json : codecs.borsh)
    const passes = (frame: Frame): boolean => {
      const isPassed = !isTampering || isDelivered(codecOf(frame).decodeMessage(frame), delivers)
      dropped += Number(!isPassed)
      return isPassed
    }
    const send = socket.send.bind(socket)
    socket.send = (frame) => {
      const request = codecOf(frame).decodeRequest(frame)
      const times = isTampering ? sendCount(request) : 1
      dropped += Number(times === 0)
      for (let time = times; time > 0; time--) {
        if (request.kind === 'request' && request.method === 'submitTransaction') record(request.request.transaction)
        send(frame)
      }
    }
    if (tamper?.delivers !== undefined) filterMessages(socket, passes)
    return socket
  }
  const scheduler = shortenDelays(platform.scheduler)
  return {
    ...platform,
    scheduler,
    submits,
    tamper,
    get dropped() {
      return dropped
    },
    startTampering: () => void (isTampering = true),
    openSocket: async (url) => watch(await platform.openSocket(url)),
  }
}

const shortenDelays = (scheduler: SchedulerLike): SchedulerLike => ({
  now: () => scheduler.now(),
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) {
    return scheduler.schedule(work, delay < LONG_DELAY ? delay : SHORT_DELAY, state)
  },
})

const isDelivered = (message: ReturnType<WireCodec['decodeMessage']>, delivers: NonNullable<Tamper['delivers']>) =>
  message.kind !== 'notification' || delivers(message.notification)

/** Delivers only messages that pass to the message handler of a socket. */
function filterMessages(socket: PlatformSocket, passes: (frame: Frame) => boolean): void {
  let handler: PlatformSocket['onmessage'] = null
  Object.defineProperty(socket, 'onmessage', {
    get: (): PlatformSocket['onmessage'] => (event) => {
      const frame = event.data instanceof ArrayBuffer ? new Uint8Array(event.data) : event.data
      if (passes(frame)) handler?.(event)
    },
    set: (next: PlatformSocket['onmessage']) => (handler = next),
  })
}
