import { ipArgument, peerArgument } from './checks.js'
import { asItIs, nothing, silence, type QueryTable } from './entry.js'

const ALL_METRICS = {
  processMetrics: true,
  connectionMetrics: true,
  bandwidthMetrics: true,
  consensusMetrics: true,
  storageMetrics: true,
  customMetrics: false,
}

/** What is asked of the node about itself and its peers. */
export const NODE_QUERIES: Pick<
  QueryTable,
  | 'ping'
  | 'getServerInfo'
  | 'getSyncStatus'
  | 'getCurrentNetwork'
  | 'getConnectedPeerInfo'
  | 'getPeerAddresses'
  | 'getMetrics'
  | 'getSystemInfo'
  | 'getConnections'
  | 'addPeer'
  | 'ban'
  | 'unban'
  | 'shutdown'
> = {
  ping: { takes: 0, request: nothing, result: silence },
  getServerInfo: { takes: 0, request: nothing, result: asItIs },
  getSyncStatus: { takes: 0, request: nothing, result: asItIs },
  getCurrentNetwork: { takes: 0, request: nothing, result: ({ network }) => network },
  getConnectedPeerInfo: { takes: 0, request: nothing, result: ({ peerInfo }) => [...peerInfo] },
  getPeerAddresses: {
    takes: 0,
    request: nothing,
    result: ({ knownAddresses, bannedAddresses }) => ({
      known: [...knownAddresses],
      banned: bannedAddresses.map((ip) => ({ ip })),
    }),
  },
  getMetrics: { takes: 0, request: () => ALL_METRICS, result: asItIs },
  getSystemInfo: { takes: 0, request: nothing, result: asItIs },
  getConnections: { takes: 0, request: () => ({ includeProfileData: true }), result: asItIs },
  addPeer: {
    takes: 2,
    request: (_network, peerAddress, isPermanent = false) => ({
      peerAddress: peerArgument('peerAddress', peerAddress),
      isPermanent,
    }),
    result: silence,
  },
  ban: { takes: 1, request: (_network, ip) => ({ ip: ipArgument('ip', ip) }), result: silence },
  unban: { takes: 1, request: (_network, ip) => ({ ip: ipArgument('ip', ip) }), result: silence },
  shutdown: { takes: 0, request: nothing, result: silence },
}
