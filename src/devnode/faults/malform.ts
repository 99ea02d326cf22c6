import type { Frame } from '../../wrpc/codec.js'
import type { FaultKind } from './fault.js'
import { isOf, WHICH, type Which } from './which.js'

export type MalformSettings = {
  /** `cut`: the first half of what should have come. `garbage`: as many bytes that mean nothing. */
  readonly how: 'cut' | 'garbage'
  /** Which messages it strikes. */
  readonly of: Which
}

/** A message that cannot be read arrives in place of the one that should have come. */
export const malform: FaultKind<MalformSettings> = {
  about: 'Spoils the next message.',
  settings: { how: 'cut', of: 'any' },
  choices: { how: ['cut', 'garbage'], of: WHICH },
  times: 1,
  create: ({ how, of }, scene) => ({
    parcel(parcel) {
      if (!isOf(parcel, of)) return [parcel]
      scene.struck()
      return [{ ...parcel, frame: how === 'cut' ? firstHalf(parcel.frame) : garbage(parcel.frame) }]
    },
  }),
}

const firstHalf = (frame: Frame): Frame => frame.slice(0, frame.length >> 1)

/** Bytes of which no header can be made, text that is no JSON. */
const garbage = (frame: Frame): Frame =>
  typeof frame === 'string' ? '~'.repeat(frame.length) : new Uint8Array(frame.length).fill(0xde)
