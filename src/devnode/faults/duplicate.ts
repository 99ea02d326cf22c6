import type { FaultKind } from './fault.js'
import { matchesFilter, MESSAGE_FILTERS, type MessageFilter } from './message-filter.js'

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
