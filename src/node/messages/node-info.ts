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
    residentSetSize: 'u64',
    virtualMemorySize: 'u64',
    coreNum: 'u32',
    cpuUsage: 'f32',
    fdNum: 'u32',
    diskIoReadBytes: 'u64',
    diskIoWriteBytes: 'u64',
    diskIoReadPerSec: 'f32',
    diskIoWritePerSec: 'f32',
  },
} as const satisfies Shape

const connectionMetrics = {
  tag: 'u16',
  fields: {
    borshLiveConnections: 'u32',
    borshConnectionAttempts: 'u64',
    borshHandshakeFailures: 'u64',
    jsonLiveConnections: 'u32',
    jsonConnectionAttempts: 'u64',
    jsonHandshakeFailures: 'u64',
    activePeers: 'u32',
  },
} as const satisfies Shape

const bandwidthMetrics = {
  tag: 'u16',
  fields: {
    borshBytesTx: 'u64',
    borshBytesRx: 'u64',
    jsonBytesTx: 'u64',
    jsonBytesRx: 'u64',
    p2pBytesTx: 'u64',
    p2pBytesRx: 'u64',
    grpcBytesTx: 'u64',
    grpcBytesRx: 'u64',
  },
} as const satisfies Shape

const consensusMetrics = {
  tag: 'u16',
  fields: {
    nodeBlocksSubmittedCount: 'u64',
    nodeHeadersProcessedCount: 'u64',
    nodeDependenciesProcessedCount: 'u64',
    nodeBodiesProcessedCount: 'u64',
    nodeTransactionsProcessedCount: 'u64',
    nodeChainBlocksProcessedCount: 'u64',
    nodeMassProcessedCount: 'u64',
    nodeDatabaseBlocksCount: 'u64',
    nodeDatabaseHeadersCount: 'u64',
    networkMempoolSize: 'u64',
    networkTipHashesCount: 'u32',
    networkDifficulty: 'f64',
    networkPastMedianTime: 'u64',
    networkVirtualParentHashesCount: 'u32',
    networkVirtualDaaScore: 'u64',
  },
} as const satisfies Shape

const storageMetrics = { tag: 'u16', fields: { storageSizeBytes: 'u64' } } as const satisfies Shape

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
    serverTime: 'u64',
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
    totalMemory: 'u64',
    fdLimit: 'u32',
    proxySocketLimitPerCpuCore: { opt: 'u32' },
  },
} as const satisfies Shape
