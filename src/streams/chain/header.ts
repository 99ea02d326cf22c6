import type { ChainTip, ChainLocator, LocatorEntry } from '../../model/chain-cursor/locator.js'
import { malformed } from '../../node/port.js'
import type { RpcAcceptingBlock, RpcBlock, RpcMethod } from '../../node/messages/records.js'
import type { FollowScope } from './scope.js'
import { isUnavailable } from '../failed-requests.js'

/** A chain block's header, as far as a position needs it. */
export interface ChainHeader extends ChainTip {
  readonly daaScore: bigint
  /** Unix milliseconds. */
  readonly timestamp: number
}

/**
 * The header of a block, and its verbose data; also of a block that has left the chain. Rejects with `ChainRpcError`.
 */
export async function readBlock(
  { call }: Pick<FollowScope, 'call'>,
  hash: string,
): Promise<ChainHeader & { readonly verboseData: NonNullable<RpcBlock['verboseData']> }> {
  const { block } = await call('getBlock', { hash, includeTransactions: false })
  const { verboseData } = block
  if (block.header.hash !== hash || verboseData === undefined) throw malformed('getBlock', 'another block was returned')
  return { ...toHeader('getBlock', block.header), verboseData }
}

type HeaderRecord = Pick<RpcAcceptingBlock['chainBlockHeader'], keyof ChainHeader>

/**
 * A header of a response, whose numbers were read within their ranges. Throws `ChainRpcError` (`malformed`) for an
 * incomplete one.
 */
export function toHeader(
  method: RpcMethod,
  { hash, blueScore, blueWork, daaScore, timestamp }: HeaderRecord,
): ChainHeader {
  if (
    hash === undefined ||
    blueScore === undefined ||
    blueWork === undefined ||
    daaScore === undefined ||
    timestamp === undefined
  )
    throw malformed(method, 'a header is incomplete')
  return { hash, blueScore, blueWork, daaScore, timestamp: Number(timestamp) }
}

/** The newest block of the node's chain. */
export const readSink = async (scope: Pick<FollowScope, 'call'>): Promise<ChainHeader> =>
  readBlock(scope, (await scope.call('getSink', {})).sink)

type Node = Pick<FollowScope, 'call'>

/** How old the block time of a sink may be, in ms, so that its node is taken to know the end of the chain. */
const RECENT = 60_000

/**
 * Whether a node denies the newest block of a position: it is synced, its sink is recent, and its chain does not have
 * the block with that blue score and blue work. Rejects with `ChainRpcError`.
 */
export async function denies(node: Node, tip: ChainTip, now: number): Promise<boolean> {
  const { isSynced } = await node.call('getServerInfo', {})
  if (!isSynced || now - (await readSink(node)).timestamp > RECENT) return false
  return !(await hasTip(node, tip))
}

/**
 * Whether a block is on the chain of a node, with its blue score and blue work: its hash commits to both. Rejects with
 * `ChainRpcError`.
 */
export async function hasTip(node: Node, { hash, ...stated }: ChainTip): Promise<boolean> {
  const header = await readChainBlock(node, hash)
  return header !== null && isSame(header, stated)
}

/** The header of a block, null where it is unknown to the node or off its chain. Rejects with `ChainRpcError`. */
export async function readChainBlock(node: Node, hash: string): Promise<ChainHeader | null> {
  try {
    const { verboseData, ...header } = await readBlock(node, hash)
    return verboseData.isChainBlock ? header : null
  } catch (error) {
    if (isUnavailable(error)) return null
    throw error
  }
}

/**
 * The newest block below the tip that all nodes have, as the position states its blue score; the tip itself, as all of
 * them state it, where the position has no other block and no row above it. Null for none. Rejects with
 * `ChainRpcError`.
 */
export async function newestShared({ tip, below }: ChainLocator, nodes: readonly Node[]): Promise<ChainHeader | null> {
  return below.length === 0 ? readShared(tip.hash, nodes) : newestOf(below, nodes)
}

/**
 * The first of these blocks that is on the chains of all nodes with its blue score; null for none. Rejects with
 * `ChainRpcError`.
 */
export async function newestOf(blocks: readonly LocatorEntry[], nodes: readonly Node[]): Promise<ChainHeader | null> {
  for (const { hash, blueScore } of blocks) {
    const header = await readShared(hash, nodes)
    if (header?.blueScore === blueScore) return header
  }
  return null
}

/** The header of a block that all nodes have on their chains and state alike. */
async function readShared(hash: string, nodes: readonly Node[]): Promise<ChainHeader | null> {
  const [header = null, ...others] = await Promise.all(nodes.map((node) => readChainBlock(node, hash)))
  return header !== null && others.every((other) => other !== null && isSame(other, header)) ? header : null
}

const isSame = (a: Stated, b: Stated): boolean => a.blueScore === b.blueScore && workOf(a) === workOf(b)

const workOf = ({ blueWork }: Stated): bigint => BigInt(`0x0${blueWork}`)

/** What the hash of a block commits to. */
type Stated = Pick<ChainTip, 'blueScore' | 'blueWork'>
