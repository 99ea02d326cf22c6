import { ipArgument, peerArgument } from './checks.js'
import { unchanged, emptyRequest, noResult, type QueryTable } from './entry.js'

const ALL_METRICS = {
  processMetrics: true,
  connectionMetrics: true,
  bandwidthMetrics: true,
  consensusMetrics: true,
  storageMetrics: true,
  customMetrics: false,
}

/** Queries about the node and its peers. */
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
  ping: { argumentCount: 0, request: emptyRequest, result: noResult },
  getServerInfo: { argumentCount: 0, request: emptyRequest, result: unchanged },
  getSyncStatus: { argumentCount: 0, request: emptyRequest, result: unchanged },
  getCurrentNetwork: { argumentCount: 0, request: emptyRequest, result: ({ network }) => network },
  getConnectedPeerInfo: { argumentCount: 0, request: emptyRequest, result: ({ peerInfo }) => [...peerInfo] },
  getPeerAddresses: {
    argumentCount: 0,
    request: emptyRequest,
    result: ({ knownAddresses, bannedAddresses }) => ({
      known: [...knownAddresses],
      banned: bannedAddresses.map((ip) => ({ ip })),
    }),
  },
  getMetrics: { argumentCount: 0, request: () => ALL_METRICS, result: unchanged },
  getSystemInfo: { argumentCount: 0, request: emptyRequest, result: unchanged },
  getConnections: { argumentCount: 0, request: () => ({ includeProfileData: true }), result: unchanged },
  addPeer: {
    argumentCount: 2,
    request: (_network, peerAddress, isPermanent = false) => ({
      peerAddress: peerArgument('peerAddress', peerAddress),
      isPermanent,
    }),
    result: noResult,
  },
  ban: { argumentCount: 1, request: (_network, ip) => ({ ip: ipArgument('ip', ip) }), result: noResult },
  unban: { argumentCount: 1, request: (_network, ip) => ({ ip: ipArgument('ip', ip) }), result: noResult },
  shutdown: { argumentCount: 0, request: emptyRequest, result: noResult },
}
