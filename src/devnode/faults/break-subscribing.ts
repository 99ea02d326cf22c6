import type { FaultKind } from './fault.js'

export type BreakSubscribingSettings = {
  /** How many subscriptions are still placed before the connection goes. */
  readonly after: number
}

/** A client that is placing its subscriptions is cut off in the middle of it. */
export const breakSubscribing: FaultKind<BreakSubscribingSettings> = {
  about: 'Cuts a connection while its client is placing subscriptions.',
  settings: { after: 1 },
  times: 1,
  create({ after }, scene) {
    let placed = 0
    return {
      call(method) {
        if (method !== 'subscribe') return undefined
        if (placed < after) {
          placed += 1
          return undefined
        }
        placed = 0
        scene.struck()
        return { kind: 'cut' }
      },
    }
  },
}
