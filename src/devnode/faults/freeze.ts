import type { FaultKind, Victim } from './fault.js'

/**
 * The node is there and does nothing: connections stay open, nothing is read, answered or told, not even a ping, and a new
 * client waits for its handshake. Afterwards it goes on where it stood, as a process does that was stopped and continued.
 */
export const freeze: FaultKind<Record<string, never>> = {
  about: 'Freezes the node: connections stay open and silent.',
  settings: {},
  create(_, scene) {
    let thawed: () => void
    const thaw = new Promise<void>((resolve) => (thawed = resolve))
    let frozen: readonly Victim[] = []
    return {
      begin() {
        frozen = scene.victims()
        for (const victim of frozen) victim.freeze()
      },
      arrival: () => ({ kind: 'wait', until: thaw }),
      end() {
        for (const victim of frozen) victim.thaw()
        thawed()
      },
    }
  },
}
