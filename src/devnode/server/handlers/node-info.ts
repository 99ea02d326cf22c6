import { ok, type CallContext, type Handlers, type TrafficByEncoding } from './handler.js'
import type { RpcResponse } from '../../../node/messages/records.js'
import type { ProcessUsage } from '../../machine.js'

/** `mainnet`, `testnet`, `devnet` or `simnet`, without the number. */
const networkType = ({ live }: CallContext): string => live.ledger.network.id.replace(/-\d+$/, '')

/** The file descriptor limit that a real node requests. */
const FILE_LIMIT = 20_000

/** Methods about the node itself. It has no peers, so it is always synced. */
export const nodeInfo = {
  ping: () => ok({}),

  getServerInfo: (_, { live, identity }) =>
    ok({
      rpcApiVersion: 1,
      rpcApiRevision: 0,
      serverVersion: identity.version,
      networkId: live.ledger.network.id,
      hasUtxoIndex: true,
      isSynced: true,
      virtualDaaScore: live.ledger.expected.virtualDaaScore(),
    }),

  getInfo: (_, { live, identity }) =>
    ok({
      p2pId: identity.p2pId,
      mempoolSize: BigInt(live.ledger.expected.mempool().length),
      serverVersion: identity.version,
      isUtxoIndexed: true,
      isSynced: true,
      hasNotifyCommand: true,
      hasMessageId: true,
    }),

  getSyncStatus: () => ok({ isSynced: true }),

  getCurrentNetwork: (_, context) => ok({ network: networkType(context) }),

  getSystemInfo: (_, { identity, machine }) =>
    ok({
      version: `v${identity.version}`,
      systemId: identity.systemId,
      cpuPhysicalCores: 1,
      totalMemory: BigInt(machine.totalMemory()),
      fdLimit: FILE_LIMIT,
    }),
} as const satisfies Partial<Handlers>

type Metrics = RpcResponse<'getMetrics'>

/** Metrics of process, connections and chain. What a devnode does not measure is 0. */
export const metrics = {
  getMetrics: (request, context) =>
    ok({
      serverTime: BigInt(context.live.now()),
      ...(request.processMetrics && { processMetrics: processMetrics(context.machine.process()) }),
      ...(request.connectionMetrics && { connectionMetrics: connectionMetrics(context.traffic()) }),
      ...(request.bandwidthMetrics && { bandwidthMetrics: bandwidthMetrics(context.traffic()) }),
      ...(request.consensusMetrics && { consensusMetrics: consensusMetrics(context) }),
      ...(request.storageMetrics && { storageMetrics: { storageSizeBytes: 0n } }),
    }),

  getConnections: ({ includeProfileData }, { traffic, machine }) => {
    const { borsh, json } = traffic()
    const { cpuUsage, residentSetSize } = machine.process()
    const profileData = { cpuUsage, memoryUsage: BigInt(residentSetSize) }
    return ok({ clients: borsh.live + json.live, peers: 0, ...(includeProfileData && { profileData }) })
  },
} as const satisfies Partial<Handlers>

const processMetrics = (usage: ProcessUsage): NonNullable<Metrics['processMetrics']> => ({
  residentSetSize: BigInt(usage.residentSetSize),
  virtualMemorySize: BigInt(usage.virtualMemorySize),
  coreNum: 1,
  cpuUsage: usage.cpuUsage,
  fdNum: 0,
  diskIoReadBytes: 0n,
  diskIoWriteBytes: 0n,
  diskIoReadPerSec: 0,
  diskIoWritePerSec: 0,
})

function connectionMetrics({ borsh, json }: TrafficByEncoding): NonNullable<Metrics['connectionMetrics']> {
  return {
    borshLiveConnections: borsh.live,
    borshConnectionAttempts: BigInt(borsh.attempts),
    borshHandshakeFailures: BigInt(borsh.failures),
    jsonLiveConnections: json.live,
    jsonConnectionAttempts: BigInt(json.attempts),
    jsonHandshakeFailures: BigInt(json.failures),
    activePeers: 0,
  }
}

function bandwidthMetrics({ borsh, json }: TrafficByEncoding): NonNullable<Metrics['bandwidthMetrics']> {
  return {
    borshBytesTx: BigInt(borsh.bytesSent),
    borshBytesRx: BigInt(borsh.bytesReceived),
    jsonBytesTx: BigInt(json.bytesSent),
    jsonBytesRx: BigInt(json.bytesReceived),
    p2pBytesTx: 0n,
    p2pBytesRx: 0n,
    grpcBytesTx: 0n,
    grpcBytesRx: 0n,
  }
}

function consensusMetrics({ live }: CallContext): NonNullable<Metrics['consensusMetrics']> {
  const dag = live.ledger.call('getBlockDagInfo', {}, live.now())
  if (!dag.ok) throw new Error(dag.message)
  const { blockCount, headerCount, tipHashes, difficulty, pastMedianTime, virtualParentHashes, virtualDaaScore } =
    dag.value
  return {
    nodeBlocksSubmittedCount: blockCount,
    nodeHeadersProcessedCount: headerCount,
    nodeDependenciesProcessedCount: headerCount,
    nodeBodiesProcessedCount: blockCount,
    nodeTransactionsProcessedCount: 0n,
    nodeChainBlocksProcessedCount: BigInt(live.ledger.expected.chain().length - 1),
    nodeMassProcessedCount: 0n,
    nodeDatabaseBlocksCount: blockCount,
    nodeDatabaseHeadersCount: headerCount,
    networkMempoolSize: BigInt(live.ledger.expected.mempool().length),
    networkTipHashesCount: tipHashes.length,
    networkDifficulty: difficulty,
    networkPastMedianTime: pastMedianTime,
    networkVirtualParentHashesCount: virtualParentHashes.length,
    networkVirtualDaaScore: virtualDaaScore,
  }
}
