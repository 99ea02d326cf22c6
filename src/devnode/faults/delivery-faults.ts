import type { FaultKind } from './fault.js'

export type DelaySettings = {
  /** Milliseconds added to each message. */
  readonly ms: number
  /** Upper bound in ms of a random extra delay, drawn for each message. */
  readonly jitter: number
}

/** Latency: every message is delayed. Order is kept, as in TCP. */
export const delay: FaultKind<DelaySettings> = {
  about: 'Delays every message, in order.',
  settings: { ms: 100, jitter: 0 },
  create: ({ ms, jitter }, context) => ({
    outgoing(message) {
      context.triggered()
      return [{ ...message, delay: message.delay + ms + context.random() * jitter }]
    },
  }),
}

export type ThrottleSettings = {
  readonly bytesPerSecond: number
  /** Only messages longer than this many bytes are throttled. */
  readonly above: number
}

/** Sends large messages in small chunks; later messages of the connection wait for them. */
export const throttle: FaultKind<ThrottleSettings> = {
  about: 'Throttles large messages.',
  settings: { bytesPerSecond: 65_536, above: 4_096 },
  create: ({ bytesPerSecond, above }, context) => ({
    outgoing(message) {
      if (message.frame.length <= above) return [message]
      context.triggered()
      return [{ ...message, bytesPerSecond: Math.min(message.bytesPerSecond ?? Infinity, Math.max(1, bytesPerSecond)) }]
    },
  }),
}

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
