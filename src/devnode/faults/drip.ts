import type { FaultKind } from './fault.js'

export type DripSettings = {
  readonly bytesPerSecond: number
  /** Only messages longer than so many bytes drip. */
  readonly above: number
}

/** Large messages arrive drop by drop, and hold up what follows on their connection. */
export const drip: FaultKind<DripSettings> = {
  about: 'Lets large messages drip.',
  settings: { bytesPerSecond: 65_536, above: 4_096 },
  create: ({ bytesPerSecond, above }, scene) => ({
    parcel(parcel) {
      if (parcel.frame.length <= above) return [parcel]
      scene.struck()
      return [{ ...parcel, pace: Math.min(parcel.pace ?? Infinity, Math.max(1, bytesPerSecond)) }]
    },
  }),
}
