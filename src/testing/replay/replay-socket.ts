import type { FrameData, SocketEvent } from '../../engine/recorder/memory.js'
import { createLocalSocket } from '../../platform/local-socket.js'
import type { PlatformSocket } from '../../platform/port.js'
import { methodEntry } from '../../node/messages/lookup.js'

/** A recorded request, and whether it was sent again. */
interface RecordedRequest {
  readonly id: bigint
  readonly content: string
  /** The position of its last event, which is its response where it has one. */
  lastAt: number
  response: FrameData | null
  /** The id under which the replayed client sent it; null until then. */
  sentAs: bigint | null
}

/** One recorded socket as the replayed client sees it. */
export interface ReplaySocket {
  readonly socket: PlatformSocket
  /** The next recorded event, and when it is due, ms since the socket was requested; null at its end. */
  readonly next: () => SocketEvent | null
  /** Whether the next event is a request that the client has not sent yet. */
  readonly isWaiting: () => boolean
  /** Plays the next event. */
  readonly advance: () => void
  /** Confirms the oldest subscription of the client that has no response yet; false if there is none. */
  readonly confirm: () => boolean
}

/**
 * A request of the client gets the response to an equal recorded request at the recorded time; at once, if that has
 * passed. `confirmation`: any recorded response to a subscription.
 */
export function createReplaySocket(events: readonly SocketEvent[], confirmation: FrameData | null): ReplaySocket {
  const requests = readRequests(events)
  /** Ids of the client's subscriptions without a response. */
  const unconfirmed = new Set<bigint>()
  let position = 0
  let isClosed = false
  const { socket, open, deliver, end } = createLocalSocket({
    send: (data) => {
      const sent = identify(data)
      if (sent === null) return
      if (isSubscription(sent)) unconfirmed.add(sent.id)
      const equal = [...requests.values()].filter((each) => each.sentAs === null && each.content === sent.content)
      const request = equal.find(({ lastAt }) => lastAt >= position) ?? equal.at(-1)
      if (request === undefined) return // not in the recording: no response, as from a node that lost it
      request.sentAs = sent.id
      const { lastAt, response } = request
      if (lastAt < position && response !== null) queueMicrotask(() => respond(response, sent.id))
    },
    close: () => (isClosed = true),
  })
  const close = (code: number): void => {
    isClosed = true
    end(code, '')
  }
  const respond = (response: FrameData, id: bigint): void => {
    unconfirmed.delete(id)
    deliver(withId(response, id))
  }
  const requestOf = (frame: FrameData): RecordedRequest | undefined => {
    const identified = identify(frame)
    return identified === null ? undefined : requests.get(identified.id)
  }

  function play(event: SocketEvent): void {
    switch (event.type) {
      case 'opened':
        open()
        break
      case 'received': {
        if (identify(event.data) === null) deliver(event.data)
        const sentAs = requestOf(event.data)?.sentAs ?? null
        if (sentAs !== null) respond(event.data, sentAs)
        break
      }
      case 'closed':
        close(event.code)
        break
      case 'ended':
        close(1006) // the recorded client closed it; the replayed one has to follow
        break
      case 'sent':
        break // sent by the client itself
    }
  }
  return {
    socket,
    next: () => (isClosed ? null : (events[position] ?? null)),
    isWaiting: () => {
      const event = events[position]
      return event?.type === 'sent' && requestOf(event.data)?.sentAs === null
    },
    advance: () => {
      const event = events[position++]
      if (event !== undefined) play(event)
    },
    confirm: () => {
      const [id] = unconfirmed
      if (id === undefined || confirmation === null) return false
      respond(confirmation, id)
      return true
    },
  }
}

/** The requests of a socket by id, in the order in which they were sent. */
function readRequests(events: readonly SocketEvent[]): ReadonlyMap<bigint, RecordedRequest> {
  const requests = new Map<bigint, RecordedRequest>()
  events.forEach((event, at) => {
    const identified = 'data' in event ? identify(event.data) : null
    if (identified === null || !('data' in event)) return
    if (event.type === 'sent') requests.set(identified.id, { ...identified, lastAt: at, response: null, sentAs: null })
    const request = requests.get(identified.id)
    if (request !== undefined && event.type === 'received') Object.assign(request, { lastAt: at, response: event.data })
  })
  return requests
}

/** A recorded response to a subscription; null if there is none. */
export function findConfirmation(sockets: readonly (readonly SocketEvent[])[]): FrameData | null {
  const requests = sockets.flatMap((events) => [...readRequests(events).values()])
  return requests.find((request) => isSubscription(request) && request.response !== null)?.response ?? null
}

/** The id of a request or a response, and the frame without it, which is equal for equal requests. */
interface Identified {
  readonly id: bigint
  readonly content: string
}

/** In Borsh the id is an option: one byte, then 64 bits, little-endian. In JSON it is the first member. */
const BORSH_ID = 9
const SUBSCRIBE = /*#__PURE__*/ (() => methodEntry('subscribe').op)()
const JSON_SUBSCRIPTION = /^,\s*"method"\s*:\s*"subscribe"/
const JSON_ID = /^(\s*\{\s*"id"\s*:\s*)(\d{1,20})(?=\s*[,}])/

/** The id of a frame; null for a notification, and for a frame whose id cannot be read. */
export function identify(frame: FrameData): Identified | null {
  if (typeof frame === 'string') {
    const [leading = '', , digits] = JSON_ID.exec(frame) ?? []
    return digits === undefined ? null : { id: BigInt(digits), content: frame.slice(leading.length) }
  }
  if (frame.length < BORSH_ID || frame[0] !== 1) return null
  return { id: viewOf(frame).getBigUint64(1, true), content: toText(frame.subarray(BORSH_ID)) }
}

/** Whether an identified request subscribes to notifications. */
const isSubscription = ({ content }: Identified): boolean =>
  content.charCodeAt(0) === SUBSCRIBE || JSON_SUBSCRIPTION.test(content)

/** The same frame with another id. */
function withId(frame: FrameData, id: bigint): FrameData {
  if (typeof frame === 'string') return frame.replace(JSON_ID, (_, leading: string) => `${leading}${id}`)
  const copy = frame.slice()
  viewOf(copy).setBigUint64(1, id, true)
  return copy
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): DataView =>
  new DataView(buffer, byteOffset, byteLength)

/** A text that is equal for equal bytes. */
const toText = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes)
