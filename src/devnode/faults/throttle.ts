import type { FaultKind } from './fault.js'

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
