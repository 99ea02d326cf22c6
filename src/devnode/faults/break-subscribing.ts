import type { FaultKind } from './fault.js'

export type BreakSubscribingSettings = {
  /** How many subscriptions succeed before the connection is cut. */
  readonly after: number
}

/** Cuts the connection while its client places its subscriptions. */
export const breakSubscribing: FaultKind<BreakSubscribingSettings> = {
  about: 'Cuts a connection while its client is placing subscriptions.',
  settings: { after: 1 },
  times: 1,
  create({ after }, context) {
    let placed = 0
    return {
      call(method) {
        if (method !== 'subscribe') return undefined
        if (placed < after) {
          placed += 1
          return undefined
        }
        placed = 0
        context.triggered()
        return { kind: 'cut' }
      },
    }
  },
}
