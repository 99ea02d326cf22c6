import { reading } from './reading.js'
import type { PublicKey } from './shape.js'

/**
 * Quirk: a range of public keys is declared to come as objects or as text, and the members that promise text
 * (`receivePubkeysAsStrings`) are missing in some generations.
 */
export const textsOf = (keys: readonly (PublicKey | string)[]): string[] =>
  keys.map((key) => (typeof key === 'string' ? key : reading(key, String)))
