import type { FaultKind } from './fault.js'

export type DelaySettings = {
  /** Milliseconds added to each message. */
  readonly ms: number
  /** At most so many milliseconds more, chosen anew for each message. */
  readonly jitter: number
}

/** A slow line: every message arrives later. Order is kept, as TCP keeps it. */
export const delay: FaultKind<DelaySettings> = {
  about: 'Delays every message, in order.',
  settings: { ms: 100, jitter: 0 },
  create: ({ ms, jitter }, scene) => ({
    parcel(parcel) {
      scene.struck()
      return [{ ...parcel, delay: parcel.delay + ms + scene.random() * jitter }]
    },
  }),
}
