import type { Frame } from '../../wrpc/codec.js'
import type { FaultKind } from './fault.js'
import { matchesFilter, MESSAGE_FILTERS, type MessageFilter } from './message-filter.js'

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
