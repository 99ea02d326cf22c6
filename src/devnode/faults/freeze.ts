import type { FaultKind, FaultTarget } from './fault.js'

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
