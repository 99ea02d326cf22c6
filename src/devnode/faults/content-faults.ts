import type { Frame } from '../../wrpc/codec.js'
import type { OutgoingMessage, FaultKind } from './fault.js'

/** Which messages a fault affects. */
export type MessageFilter = 'any' | 'reply' | 'notification'

const MESSAGE_FILTERS = ['any', 'reply', 'notification'] as const satisfies readonly MessageFilter[]

const matchesFilter = ({ replyTo }: OutgoingMessage, which: MessageFilter): boolean =>
  which === 'any' || which === (replyTo === undefined ? 'notification' : 'reply')

export type CorruptSettings = {
  /** `cut`: the first half of the message. `garbage`: meaningless bytes of the same length. */
  readonly how: 'cut' | 'garbage'
  /** Which messages it corrupts. */
  readonly of: MessageFilter
}

/** Replaces a message by one that cannot be decoded. */
export const corrupt: FaultKind<CorruptSettings> = {
  about: 'Corrupts the next message.',
  settings: { how: 'cut', of: 'any' },
  choices: { how: ['cut', 'garbage'], of: MESSAGE_FILTERS },
  times: 1,
  create: ({ how, of }, context) => ({
    outgoing(message) {
      if (!matchesFilter(message, of)) return [message]
      context.triggered()
      return [{ ...message, frame: how === 'cut' ? firstHalf(message.frame) : garbage(message.frame) }]
    },
  }),
}

const firstHalf = (frame: Frame): Frame => frame.slice(0, frame.length >> 1)

/** Bytes without a valid header, or text that is not JSON. */
const garbage = (frame: Frame): Frame =>
  typeof frame === 'string' ? '~'.repeat(frame.length) : new Uint8Array(frame.length).fill(0xde)

export type DuplicateSettings = {
  /** Which messages are sent twice. */
  readonly of: MessageFilter
}

/** Sends each message of a kind twice: notifications, or replies to calls that are already settled. */
export const duplicate: FaultKind<DuplicateSettings> = {
  about: 'Sends every notification twice, or every reply.',
  settings: { of: 'notification' },
  choices: { of: MESSAGE_FILTERS },
  create: ({ of }, context) => ({
    outgoing(message) {
      if (!matchesFilter(message, of)) return [message]
      context.triggered()
      return [message, message]
    },
  }),
}

export type PadSettings = {
  /** Bytes added to each message. 104,857,600 exceeds the limit of most WebSocket clients. */
  readonly bytes: number
  readonly of: MessageFilter
}

/** Adds unknown data to messages, as a newer node does: trailing bytes in Borsh, a field in JSON. */
export const pad: FaultKind<PadSettings> = {
  about: 'Adds unknown data to each message.',
  settings: { bytes: 8, of: 'any' },
  choices: { of: MESSAGE_FILTERS },
  create: ({ bytes, of }, context) => ({
    outgoing(message) {
      if (!matchesFilter(message, of)) return [message]
      context.triggered()
      const { frame } = message
      return [{ ...message, frame: typeof frame === 'string' ? withField(frame, bytes) : withTail(frame, bytes) }]
    },
  }),
}

/** Where the payload of a reply and of a notification begins. */
const REPLY = /"params":\{/
const NOTIFICATION = /^\{"method":"\w+","params":\{"\w+":\{/

function withField(frame: string, length: number): Frame {
  const opening = NOTIFICATION.test(frame) ? NOTIFICATION : REPLY
  return frame.replace(opening, (head, at: number) => {
    const isEmpty = frame.charAt(at + head.length) === '}'
    return `${head}"ofTomorrow":"${'+'.repeat(length)}"${isEmpty ? '' : ','}`
  })
}

/** Appends bytes to the body, which ends the frame, and adds them to the length prefixes before it. */
function withTail(frame: Uint8Array, length: number): Frame {
  const offsets = lengthOffsets(frame)
  if (offsets.length === 0) return new Uint8Array(frame)
  const longer = new Uint8Array(frame.length + length)
  longer.set(frame)
  const view = new DataView(longer.buffer)
  for (const offset of offsets) view.setUint32(offset, view.getUint32(offset, true) + length, true)
  return longer
}

/** Offsets of the length prefixes, after id, kind and operation. An error has none. */
function lengthOffsets(frame: Uint8Array): readonly number[] {
  const [hasId, kind] = [frame[0] === 1, frame[0] === 1 ? frame[9] : frame[1]]
  if (hasId) return kind === 0 && frame[12] === 1 ? [13] : []
  return kind === 0xff ? [4, 12] : []
}
