import { isUnavailable } from '../retry-with-backoff.js'
import type { ChainLocator, ChainTip, LocatorEntry } from '../../model/chain-cursor/locator.js'
import { readBlock, readSink, type ChainHeader } from './header.js'
import type { FollowScope } from './scope.js'

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
