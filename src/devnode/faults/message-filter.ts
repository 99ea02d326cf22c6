import type { OutgoingMessage } from './fault.js'

/** Which messages a fault affects. */
export type MessageFilter = 'any' | 'reply' | 'notification'

export const MESSAGE_FILTERS = ['any', 'reply', 'notification'] as const satisfies readonly MessageFilter[]

export const matchesFilter = ({ replyTo }: OutgoingMessage, which: MessageFilter): boolean =>
  which === 'any' || which === (replyTo === undefined ? 'notification' : 'reply')
