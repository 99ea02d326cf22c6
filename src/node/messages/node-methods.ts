import { type Shape, emptyBody, type MethodEntry } from './shape.js'
import { notifications } from './notifications.js'

/** Peers, metrics and system information of a node. */

const peerAddress = { tag: 'none', fields: { ip: 'ip', port: 'u16' } } as const satisfies Shape

export const peerInfo = {
  tag: 'none',
  fields: {
    id: 'uuid',
    address: peerAddress,
    lastPingDuration: { named: ['last_ping_duration'], is: 'u64' },
    isOutbound: { named: ['is_outbound'], is: 'bool' },
    timeOffset: { named: ['time_offset'], is: 'i64' },
    userAgent: { named: ['user_agent'], is: 'text' },
    advertisedProtocolVersion: { named: ['advertised_protocol_version'], is: 'u32' },
    timeConnected: { named: ['time_connected'], is: 'u64' },
    isIbdPeer: { named: ['is_ibd_peer'], is: 'bool' },
  },
} as const satisfies Shape

const processMetrics = {
  tag: 'u16',
  fields: {
    residentSetSize: 'count',
    virtualMemorySize: 'count',
    coreNum: 'u32',
    cpuUsage: 'f32',
    fdNum: 'u32',
    diskIoReadBytes: 'count',
    diskIoWriteBytes: 'count',
    diskIoReadPerSec: 'f32',
    diskIoWritePerSec: 'f32',
  },
} as const satisfies Shape

const connectionMetrics = {
  tag: 'u16',
  fields: {
    borshLiveConnections: 'u32',
    borshConnectionAttempts: 'count',
    borshHandshakeFailures: 'count',
    jsonLiveConnections: 'u32',
    jsonConnectionAttempts: 'count',
    jsonHandshakeFailures: 'count',
    activePeers: 'u32',
  },
} as const satisfies Shape

const bandwidthMetrics = {
  tag: 'u16',
  fields: {
    borshBytesTx: 'count',
    borshBytesRx: 'count',
    jsonBytesTx: 'count',
    jsonBytesRx: 'count',
    p2pBytesTx: 'count',
    p2pBytesRx: 'count',
    grpcBytesTx: 'count',
    grpcBytesRx: 'count',
  },
} as const satisfies Shape

const consensusMetrics = {
  tag: 'u16',
  fields: {
    nodeBlocksSubmittedCount: 'count',
    nodeHeadersProcessedCount: 'count',
    nodeDependenciesProcessedCount: 'count',
    nodeBodiesProcessedCount: 'count',
    nodeTransactionsProcessedCount: 'count',
    nodeChainBlocksProcessedCount: 'count',
    nodeMassProcessedCount: 'count',
    nodeDatabaseBlocksCount: 'count',
    nodeDatabaseHeadersCount: 'count',
    networkMempoolSize: 'count',
    networkTipHashesCount: 'u32',
    networkDifficulty: 'measure',
    networkPastMedianTime: 'time',
    networkVirtualParentHashesCount: 'u32',
    networkVirtualDaaScore: 'score',
  },
} as const satisfies Shape

const storageMetrics = { tag: 'u16', fields: { storageSizeBytes: 'count' } } as const satisfies Shape

const metricsRequest = {
  tag: 'u16',
  fields: {
    processMetrics: 'bool',
    connectionMetrics: 'bool',
    bandwidthMetrics: 'bool',
    consensusMetrics: 'bool',
    storageMetrics: 'bool',
    customMetrics: 'bool',
  },
} as const satisfies Shape

/** Only the requested parts are present. No node has custom metrics. */
const metrics = {
  tag: 'u16',
  fields: {
    serverTime: 'time',
    processMetrics: { boxopt: processMetrics },
    connectionMetrics: { boxopt: connectionMetrics },
    bandwidthMetrics: { boxopt: bandwidthMetrics },
    consensusMetrics: { boxopt: consensusMetrics },
    storageMetrics: { boxopt: storageMetrics },
    customMetrics: { boxopt: { tag: 'u16', fields: {} } },
  },
} as const satisfies Shape

const systemInfo = {
  tag: 'u16',
  version: 2,
  fields: {
    version: 'text',
    systemId: { opt: 'byteList' },
    gitHash: { opt: 'byteList' },
    cpuPhysicalCores: 'u16',
    totalMemory: 'count',
    fdLimit: 'u32',
    proxySocketLimitPerCpuCore: { opt: 'u32' },
  },
} as const satisfies Shape

const subscription = { tag: 'u16', fields: { scope: { inline: { scope: notifications } } } } as const satisfies Shape

/** Methods for the node itself: information, peers, subscriptions. */
export const nodeMethods = {
  subscribe: { op: 3, request: subscription, response: { tag: 'u16', fields: { id: 'u64' } } },
  unsubscribe: { op: 4, request: subscription, response: emptyBody },
  ping: { op: 110, request: { tag: 'none', fields: {} }, response: { tag: 'u8', fields: {} } },
  getServerInfo: {
    op: 114,
    request: emptyBody,
    response: {
      tag: 'u16',
      fields: {
        rpcApiVersion: 'u16',
        rpcApiRevision: 'u16',
        serverVersion: 'text',
        networkId: 'networkId',
        hasUtxoIndex: 'bool',
        isSynced: 'bool',
        virtualDaaScore: 'score',
      },
    },
  },
  getInfo: {
    op: 141,
    request: emptyBody,
    response: {
      tag: 'u16',
      fields: {
        p2pId: 'text',
        mempoolSize: 'count',
        serverVersion: 'text',
        isUtxoIndexed: 'bool',
        isSynced: 'bool',
        hasNotifyCommand: 'bool',
        hasMessageId: 'bool',
      },
    },
  },
  getSyncStatus: { op: 115, request: emptyBody, response: { tag: 'u16', fields: { isSynced: 'bool' } } },
  getCurrentNetwork: { op: 116, request: emptyBody, response: { tag: 'u16', fields: { network: 'networkType' } } },
  getMetrics: { op: 111, request: metricsRequest, response: metrics },
  getSystemInfo: { op: 112, request: emptyBody, response: systemInfo },
  getConnections: {
    op: 113,
    request: { tag: 'u8', fields: { includeProfileData: 'bool' } },
    response: {
      tag: 'u16',
      fields: {
        clients: 'u32',
        peers: 'u16',
        profileData: { opt: { tag: 'none', fields: { cpuUsage: 'f32', memoryUsage: 'u64' } } },
      },
    },
  },
  getPeerAddresses: {
    op: 119,
    request: emptyBody,
    response: { tag: 'u16', fields: { knownAddresses: { vec: peerAddress }, bannedAddresses: { vec: 'ip' } } },
  },
  getConnectedPeerInfo: {
    op: 123,
    request: emptyBody,
    response: { tag: 'u16', fields: { peerInfo: { vec: peerInfo } } },
  },
  addPeer: {
    op: 124,
    request: {
      tag: 'u16',
      fields: { peerAddress: { tag: 'none', fields: { ip: 'ip', port: { opt: 'u16' } } }, isPermanent: 'bool' },
    },
    response: emptyBody,
  },
  ban: { op: 139, request: { tag: 'u16', fields: { ip: 'ip' } }, response: emptyBody },
  unban: { op: 140, request: { tag: 'u16', fields: { ip: 'ip' } }, response: emptyBody },
  shutdown: { op: 133, request: emptyBody, response: emptyBody },
} as const satisfies Record<string, MethodEntry>
