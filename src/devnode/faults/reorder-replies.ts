import type { FaultKind } from './fault.js'

export type ReorderRepliesSettings = {
  /** Milliseconds by which the reply is delayed. */
  readonly ms: number
  /** The method whose reply is delayed; empty: any. */
  readonly method: string
}

/** Replies arrive out of order: one is delayed while later replies and notifications are sent. */
export const reorderReplies: FaultKind<ReorderRepliesSettings> = {
  about: 'Delays one reply until after later messages.',
  settings: { ms: 50, method: '' },
  times: 1,
  create: ({ ms, method }, context) => ({
    outgoing(message) {
      if (message.replyTo === undefined || (method !== '' && message.replyTo !== method)) return [message]
      context.triggered()
      return [{ ...message, reorderDelay: message.reorderDelay + ms }]
    },
  }),
}
