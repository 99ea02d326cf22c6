import type { Shape } from './shape.js'

/** Peers, metrics and system information of a node. */

export const peerAddress = { tag: 'none', fields: { ip: 'ip', port: 'u16' } } as const satisfies Shape

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

export const metricsRequest = {
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
export const metrics = {
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

export const systemInfo = {
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
