import type { FaultKind, Victim } from './fault.js'

export type FreezeSettings = {
  /** What becomes of new clients. `wait`: for their handshake. `open`: they get it, and nothing more. */
  readonly arrivals: 'wait' | 'open'
}

/**
 * The node is there and does nothing: connections stay open, nothing is read, answered or told, not even a ping, nor to a new
 * client. Afterwards it goes on where it stood, as a process does that was stopped and continued.
 */
export const freeze: FaultKind<FreezeSettings> = {
  about: 'Freezes the node: connections stay open and silent.',
  settings: { arrivals: 'wait' },
  choices: { arrivals: ['wait', 'open'] },
  create({ arrivals }, scene) {
    let thawed: () => void
    const thaw = new Promise<void>((resolve) => (thawed = resolve))
    let frozen: readonly Victim[] = []
    return {
      begin() {
        frozen = scene.victims()
        for (const victim of frozen) victim.freeze()
        scene.struck()
      },
      arrival: () => ({ kind: arrivals === 'wait' ? 'wait' : 'mute', until: thaw }),
      end() {
        for (const victim of frozen) victim.thaw()
        thawed()
      },
    }
  },
}
