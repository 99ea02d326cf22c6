import type { FaultKind } from './fault.js'

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
