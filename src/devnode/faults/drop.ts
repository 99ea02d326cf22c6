import type { FaultKind } from './fault.js'

export type DropSettings = {
  /** `cut`: without a close frame, as a node does. `reset`: a TCP reset. `close`: a close frame with `code`, as a proxy does. */
  readonly how: 'cut' | 'reset' | 'close'
  readonly code: number
}

/** Every open connection is dropped, once; new ones are welcome. */
export const drop: FaultKind<DropSettings> = {
  about: 'Drops every open connection, at once and only once.',
  settings: { how: 'cut', code: 1001 },
  choices: { how: ['cut', 'reset', 'close'] },
  times: 1,
  create: ({ how, code }, scene) => ({
    begin() {
      for (const victim of scene.victims()) {
        if (how === 'close') victim.close(code)
        else victim[how]()
      }
      scene.struck()
    },
  }),
}
