import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { RpcBlock } from '../../node/messages/records.js'
import { readBlock } from '../chain/header.js'
import type { FollowScope } from '../chain/scope.js'
import type { ChainBlock } from '../chain/batch.js'

/** The UTXO index of some addresses at one moment, and what its view may have beyond the chain. */
export interface IndexRead {
  readonly entries: readonly UtxoEntry[]
  /** A blue score at which the chain has passed the sink of the read. */
  readonly sinkScore: bigint
  /**
   * Outpoints that are spent by blocks which no chain block had merged: the index lacks them, the chain may still have
   * them.
   */
  readonly unsettled: ReadonlySet<OutpointKey>
}

/** Addresses of one request: about 30 MB of UTXOs where each has a hundred. */
const CHUNK = 2_000

/**
 * Reads the UTXOs of addresses; null where nothing follows from them: the node's chain does not have the block `start`,
 * or moved too far meanwhile. Rejects with `ChainRpcError`.
 */
export async function readIndex(
  scope: Pick<FollowScope, 'call'>,
  start: string,
  addresses: readonly string[],
): Promise<IndexRead | null> {
  const entries: UtxoEntry[] = []
  const unsettled = new Set<OutpointKey>()
  let sinkScore = 0n
  for (let from = 0; from < addresses.length; from += CHUNK) {
    const read = await readChunk(scope, addresses.slice(from, from + CHUNK))
    if (read === null) return null
    for (const entry of read.entries) entries.push(entry)
    for (const key of read.unsettled) unsettled.add(key)
    sinkScore = read.sinkScore
  }
  return (await readBlock(scope, start)).verboseData.isChainBlock ? { entries, sinkScore, unsettled } : null
}

/**
 * The index first, then the parents of virtual, then the blocks beyond the sink: each read has all that the one before
 * it may have used. These blocks are what the view of the index may have accepted beyond the chain.
 */
async function readChunk({ call }: Pick<FollowScope, 'call'>, addresses: readonly string[]): Promise<IndexRead | null> {
  const { sink } = await call('getSink', {})
  const { blueScore: sinkScore } = await call('getSinkBlueScore', {}) // not below that of `sink`
  const { entries } = await call('getUtxosByAddresses', { addresses })
  const { virtualParentHashes } = await call('getBlockDagInfo', {})
  const above = await call('getBlocks', { lowHash: sink, includeBlocks: true, includeTransactions: true })
  const hashes = new Set(above.blockHashes)
  if (virtualParentHashes.some((hash) => !hashes.has(hash))) return null // virtual has moved on by more than a page
  return { entries, sinkScore, unsettled: spentBy(mergedBy(virtualParentHashes, above.blocks), entries) }
}

/**
 * The given blocks that virtual merges. Tips that it leaves out, such as those of a branch left long ago, spend
 * nothing.
 */
function mergedBy(virtualParents: readonly string[], blocks: readonly RpcBlock[]): readonly RpcBlock[] {
  const byHash = new Map(blocks.map((block) => [block.header.hash, block]))
  const merged = new Map<string, RpcBlock>()
  const queue = [...virtualParents]
  for (let hash = queue.pop(); hash !== undefined; hash = queue.pop()) {
    const block = byHash.get(hash)
    if (block === undefined || merged.has(hash)) continue
    merged.set(hash, block)
    queue.push(...(block.header.parentsByLevel[0] ?? []))
  }
  return [...merged.values()]
}

/** What blocks spend, without what they create themselves and what the index has. */
function spentBy(blocks: readonly RpcBlock[], entries: readonly UtxoEntry[]): ReadonlySet<OutpointKey> {
  const created = new Set(blocks.flatMap(({ verboseData }) => verboseData?.transactionIds ?? []))
  const inputs = blocks.flatMap(({ transactions }) => transactions.flatMap((transaction) => transaction.inputs))
  const outpoints = inputs.map(({ previousOutpoint }) => previousOutpoint)
  const spent = new Set(outpoints.filter(({ transactionId }) => !created.has(transactionId)).map(toOutpointKey))
  for (const { outpoint } of entries) spent.delete(toOutpointKey(outpoint))
  return spent
}

/** Two reads as one: what either has, unsettled where both say so. A read without the start block changes nothing. */
export function mergeReads(before: IndexRead | undefined, read: IndexRead | null): IndexRead | undefined {
  if (before === undefined || read === null) return before ?? read ?? undefined
  return {
    entries: [...before.entries, ...read.entries],
    sinkScore: read.sinkScore,
    unsettled: new Set([...before.unsettled].filter((key) => read.unsettled.has(key))),
  }
}

/** A read after the chain has accepted what some blocks spend. */
export function acceptBlocks(read: IndexRead, blocks: readonly ChainBlock[]): IndexRead {
  const accepted = new Set(blocks.flatMap(spentKeys))
  return { ...read, unsettled: new Set([...read.unsettled].filter((key) => !accepted.has(key))) }
}

const spentKeys = ({ transactions }: ChainBlock): readonly OutpointKey[] =>
  transactions.flatMap(({ inputs }) => inputs.map(({ outpoint }) => toOutpointKey(outpoint)))
