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
