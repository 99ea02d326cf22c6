import type { FaultKind } from './fault.js'

/** The network stands still: no block comes by itself, the DAA score does not move. Mining by command still works. */
export const stuck: FaultKind<Record<string, never>> = {
  about: 'Stops interval mining: the DAA score stands still.',
  settings: {},
  create: (_, scene) => ({
    begin() {
      scene.pauseMining()
      scene.struck()
    },
    end: () => scene.resumeMining(),
  }),
}
