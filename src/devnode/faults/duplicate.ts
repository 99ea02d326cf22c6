import type { FaultKind } from './fault.js'

/** Each notification is told twice. */
export const duplicate: FaultKind<Record<string, never>> = {
  about: 'Sends every notification twice.',
  settings: {},
  create: (_, scene) => ({
    notifications(batch) {
      scene.struck()
      return batch.flatMap((notification) => [notification, notification])
    },
  }),
}
