import type { FaultKind, FaultTarget } from './fault.js'

export type DropSettings = {
  /**
   * `cut`: without a close frame, as a node does. `reset`: a TCP reset. `close`: a close frame with `code`, as a proxy
   * does.
   */
  readonly how: 'cut' | 'reset' | 'close'
  readonly code: number
}

/** Drops every open connection once; new connections are accepted. */
export const drop: FaultKind<DropSettings> = {
  about: 'Drops every open connection immediately, once.',
  settings: { how: 'cut', code: 1001 },
  choices: { how: ['cut', 'reset', 'close'] },
  times: 1,
  create: ({ how, code }, context) => ({
    begin() {
      for (const target of context.targets()) {
        if (how === 'close') target.close(code)
        else target[how]()
      }
      context.triggered()
    },
  }),
}

export type RefuseSettings = {
  /**
   * `reset`: a TCP reset. `hang`: TCP stays open, the WebSocket handshake gets no response.
   * `status`: HTTP `status` instead of the handshake. `close`: the WebSocket opens and is cut immediately.
   */
  readonly how: 'reset' | 'hang' | 'status' | 'close'
  readonly status: number
}

/** Refuses new connections; open ones are not affected. */
export const refuse: FaultKind<RefuseSettings> = {
  about: 'Refuses new connections.',
  settings: { how: 'reset', status: 503 },
  choices: { how: ['reset', 'hang', 'status', 'close'] },
  create: ({ how, status }, context) => ({
    handshake() {
      context.triggered()
      return how === 'status' ? { kind: how, status } : { kind: how }
    },
  }),
}

export type FreezeSettings = {
  /** Handshakes of new clients. `wait`: delayed until the end of the freeze. `open`: completed, then frozen. */
  readonly handshakes: 'wait' | 'open'
}

/**
 * The node stops responding: connections stay open, but nothing is read or sent, not even a pong. Afterwards it
 * continues with what it had queued, like a process after SIGSTOP and SIGCONT.
 */
export const freeze: FaultKind<FreezeSettings> = {
  about: 'Freezes the node: connections stay open, nothing is read or sent.',
  settings: { handshakes: 'wait' },
  choices: { handshakes: ['wait', 'open'] },
  create({ handshakes }, context) {
    let thawed: () => void
    const thaw = new Promise<void>((resolve) => (thawed = resolve))
    let frozen: readonly FaultTarget[] = []
    return {
      begin() {
        frozen = context.targets()
        for (const target of frozen) target.freeze()
        context.triggered()
      },
      handshake: () => ({ kind: handshakes === 'wait' ? 'wait' : 'mute', until: thaw }),
      end() {
        for (const target of frozen) target.thaw()
        thawed()
      },
    }
  },
}

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
