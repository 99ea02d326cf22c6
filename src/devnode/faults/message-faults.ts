import type { Frame, WireCodec } from '../../wrpc/codec.js'
import type { OutgoingMessage, FaultKind } from './fault.js'
import type { NodeNotification } from '../../node/messages/records.js'
import { createBorshCodec } from '../../wrpc/borsh/codec.js'
import { createJsonCodec } from '../../wrpc/json/codec.js'
import type { Random } from '../machine.js'

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

/**
 * Shuffles the notifications of one block by type. Within a type the order is kept: a node guarantees that and no more
 * (`utxos-changed` is sent on a separate path).
 */
export const reorder: FaultKind<Record<string, never>> = {
  about: 'Shuffles the notifications of one block by type.',
  settings: {},
  create: (_, context) => ({
    notifications(batch) {
      if (batch.length < 2) return batch
      context.triggered()
      return byType(batch, shuffled([...new Set(batch.map(({ type }) => type))], context.random))
    },
  }),
}

function byType(batch: readonly NodeNotification[], types: readonly string[]): readonly NodeNotification[] {
  return types.flatMap((type) => batch.filter((notification) => notification.type === type))
}

/** Fisher-Yates shuffle. */
function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1))
    const [item] = result.splice(chosen, 1)
    if (item !== undefined) result.splice(last, 0, item)
  }
  return result
}

/** A node before 0.16: JSON clients get responses in JSON, and notifications as Borsh in binary messages. */
export const borshNotifications: FaultKind<Record<string, never>> = {
  about: 'Sends JSON clients their notifications in Borsh, as nodes before 0.16 do.',
  settings: {},
  create(_, context) {
    const [json, borsh] = [createJsonCodec(), createBorshCodec()]
    return {
      outgoing(message) {
        if (typeof message.frame !== 'string' || message.replyTo !== undefined) return [message]
        context.triggered()
        return [{ ...message, frame: translate(message.frame, json, borsh) }]
      },
    }
  },
}

/** A frame that another fault has corrupted is left unchanged. */
function translate(frame: Frame, from: WireCodec, to: WireCodec): Frame {
  const message = from.decodeMessage(frame)
  return message.kind === 'notification' ? to.encodeNotification(message.notification) : frame
}
