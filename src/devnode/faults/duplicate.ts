import type { FaultKind } from './fault.js'
import { isOf, WHICH, type Which } from './which.js'

export type DuplicateSettings = {
  /** Which messages come twice. */
  readonly of: Which
}

/** Each message of a kind is sent twice: a notification that is no news, an answer to a question that is settled. */
export const duplicate: FaultKind<DuplicateSettings> = {
  about: 'Sends every notification twice, or every answer.',
  settings: { of: 'notification' },
  choices: { of: WHICH },
  create: ({ of }, scene) => ({
    parcel(parcel) {
      if (!isOf(parcel, of)) return [parcel]
      scene.struck()
      return [parcel, parcel]
    },
  }),
}
