import { blake2b256 } from '../hashing.js'
import { toHex } from '../hex.js'

/** The key of the records of a set of addresses, whatever their order. */
export const toSetKey = (addresses: readonly string[]): string =>
  toHex(blake2b256(new TextEncoder().encode([...addresses].sort().join('\n'))))
