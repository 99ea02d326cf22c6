import { ok, refuse, type Handlers } from './handler.js'

const SAFE_MODE = 'Method unavailable in safe mode. Run the node with --unsaferpc argument.'

/** Refused because the node runs in safe mode. */
const restricted = () => refuse(SAFE_MODE)

/** The operator's methods. This node runs in safe mode and without peers. */
export const operator = {
  addPeer: restricted,
  ban: restricted,
  unban: restricted,
  shutdown: restricted,
  resolveFinalityConflict: restricted,
  getConnectedPeerInfo: () => ok({ peerInfo: [] }),
  getPeerAddresses: () => ok({ knownAddresses: [], bannedAddresses: [] }),
} as const satisfies Partial<Handlers>
