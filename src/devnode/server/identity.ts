import { createRandom } from '../random.js'

/** The identity that the node reports. */
export interface Identity {
  /** The simulated kaspad release. */
  readonly version: string
  readonly p2pId: string
  /** 32 bytes, hex. */
  readonly systemId: string
}

/** The kaspad release whose rules, constants and error texts this devnode follows. */
export const NODE_VERSION = '2.1.0'

/** The same identity for the same seed. */
export function createIdentity(seed: number): Identity {
  const random = createRandom(seed)
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('')
  const p2pId = `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}` // a version 4 UUID
  return { version: NODE_VERSION, p2pId, systemId: hex(64) }
}
