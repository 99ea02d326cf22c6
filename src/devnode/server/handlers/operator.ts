import { answer, refuse, type Handlers } from './handler.js'

const SAFE_MODE = 'Method unavailable in safe mode. Run the node with --unsaferpc argument.'

/** A node in safe mode does nothing to itself at a stranger's word. */
const restricted = () => refuse(SAFE_MODE)

/** What an operator asks of a node. This one runs in safe mode, alone, and knows no peers. */
export const operator = {
  addPeer: restricted,
  ban: restricted,
  unban: restricted,
  shutdown: restricted,
  resolveFinalityConflict: restricted,
  getConnectedPeerInfo: () => answer({ peerInfo: [] }),
  getPeerAddresses: () => answer({ knownAddresses: [], bannedAddresses: [] }),
} as const satisfies Partial<Handlers>
