import { createRandom } from '../random.js'

/** Who the node says it is. */
export interface Identity {
  /** The release of the real node that is imitated. */
  readonly version: string
  readonly p2pId: string
  /** 32 bytes, hex. */
  readonly systemId: string
}

/** The release whose rules, constants and words this devnode follows. */
export const NODE_VERSION = '2.1.0'

/** The same identity for the same seed. */
export function createIdentity(seed: number): Identity {
  const random = createRandom(seed)
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('')
  const p2pId = `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}` // a UUID of version 4
  return { version: NODE_VERSION, p2pId, systemId: hex(64) }
}
