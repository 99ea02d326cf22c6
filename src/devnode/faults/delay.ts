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
