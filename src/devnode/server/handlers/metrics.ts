import type { RpcResponse } from '../../../node/messages/records.js'
import { answer, type CallContext, type Census, type Handlers } from './handler.js'

type Metrics = RpcResponse<'getMetrics'>

/** What the process, its connections and its chain amount to. What a devnode has no measure of is 0. */
export const metrics = {
  getMetrics: (asked, context) =>
    answer({
      serverTime: BigInt(context.live.now()),
      ...(asked.processMetrics && { processMetrics: processMetrics() }),
      ...(asked.connectionMetrics && { connectionMetrics: connectionMetrics(context.census()) }),
      ...(asked.bandwidthMetrics && { bandwidthMetrics: bandwidthMetrics(context.census()) }),
      ...(asked.consensusMetrics && { consensusMetrics: consensusMetrics(context) }),
      ...(asked.storageMetrics && { storageMetrics: { storageSizeBytes: 0n } }),
    }),

  getConnections: ({ includeProfileData }, { census }) => {
    const { borsh, json } = census()
    const profileData = { cpuUsage: cpuUsage(), memoryUsage: BigInt(process.memoryUsage.rss()) }
    return answer({ clients: borsh.live + json.live, peers: 0, ...(includeProfileData && { profileData }) })
  },
} as const satisfies Partial<Handlers>

/** Share of one core since the process began. */
const cpuUsage = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 / process.uptime()
}

function processMetrics(): NonNullable<Metrics['processMetrics']> {
  const { rss, heapTotal, external } = process.memoryUsage()
  return {
    residentSetSize: BigInt(rss),
    virtualMemorySize: BigInt(heapTotal + external),
    coreNum: 1,
    cpuUsage: cpuUsage(),
    fdNum: 0,
    diskIoReadBytes: 0n,
    diskIoWriteBytes: 0n,
    diskIoReadPerSec: 0,
    diskIoWritePerSec: 0,
  }
}

function connectionMetrics({ borsh, json }: Census): NonNullable<Metrics['connectionMetrics']> {
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

function bandwidthMetrics({ borsh, json }: Census): NonNullable<Metrics['bandwidthMetrics']> {
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
  const dag = live.ledger.answer('getBlockDagInfo', {}, live.now())
  if (!dag.ok) throw new Error(dag.message)
  const { blockCount, headerCount, tipHashes, difficulty, pastMedianTime, virtualParentHashes, virtualDaaScore } =
    dag.value
  return {
    nodeBlocksSubmittedCount: blockCount,
    nodeHeadersProcessedCount: headerCount,
    nodeDependenciesProcessedCount: headerCount,
    nodeBodiesProcessedCount: blockCount,
    nodeTransactionsProcessedCount: 0n,
    nodeChainBlocksProcessedCount: BigInt(live.ledger.truth.chain().length - 1),
    nodeMassProcessedCount: 0n,
    nodeDatabaseBlocksCount: blockCount,
    nodeDatabaseHeadersCount: headerCount,
    networkMempoolSize: BigInt(live.ledger.truth.mempool().length),
    networkTipHashesCount: tipHashes.length,
    networkDifficulty: difficulty,
    networkPastMedianTime: pastMedianTime,
    networkVirtualParentHashesCount: virtualParentHashes.length,
    networkVirtualDaaScore: virtualDaaScore,
  }
}
