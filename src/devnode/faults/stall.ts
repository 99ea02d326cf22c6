import type { FaultKind } from './fault.js'

/** Stops interval mining, so that the DAA score does not advance. `mine()` still works. */
export const stall: FaultKind<Record<string, never>> = {
  about: 'Stops interval mining: the DAA score does not advance.',
  settings: {},
  create: (_, context) => ({
    begin() {
      context.pauseMining()
      context.triggered()
    },
    end: () => context.resumeMining(),
  }),
}
