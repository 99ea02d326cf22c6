import { readAndFree } from './read-and-free.js'
import type { PublicKey } from './shape.js'

/**
 * Quirk: public keys are declared as objects or strings, and the methods that return strings
 * (`receivePubkeysAsStrings`) are missing in some versions.
 */
export const textsOf = (keys: readonly (PublicKey | string)[]): string[] =>
  keys.map((key) => (typeof key === 'string' ? key : readAndFree(key, String)))
