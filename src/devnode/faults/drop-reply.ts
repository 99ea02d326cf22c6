import type { FaultKind } from './fault.js'

export type DropReplySettings = {
  /** The method whose reply is dropped; empty: any. */
  readonly method: string
}

/** Executes a call and drops its reply, so that the client cannot know the outcome. */
export const dropReply: FaultKind<DropReplySettings> = {
  about: 'Executes the next call and drops its reply.',
  settings: { method: '' },
  times: 1,
  create: ({ method }, context) => ({
    outgoing(message) {
      if (message.replyTo === undefined || (method !== '' && message.replyTo !== method)) return [message]
      context.triggered()
      return []
    },
  }),
}
