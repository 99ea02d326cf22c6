import type { FaultKind } from './fault.js'

export type OvertakeSettings = {
  /** Milliseconds for which an answer is held back. */
  readonly ms: number
  /** The method whose answers are held back; empty: any. */
  readonly method: string
}

/** Answers come out of order: one is held back while the next ones, and notifications, pass by. */
export const overtake: FaultKind<OvertakeSettings> = {
  about: 'Holds one answer back while others pass it by.',
  settings: { ms: 50, method: '' },
  times: 1,
  create: ({ ms, method }, scene) => ({
    parcel(parcel) {
      if (parcel.answers === undefined || (method !== '' && parcel.answers !== method)) return [parcel]
      scene.struck()
      return [{ ...parcel, held: parcel.held + ms }]
    },
  }),
}
