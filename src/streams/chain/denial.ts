import { isUnavailable } from '../retry-with-backoff.js'
import type { ChainLocator } from '../../model/chain-cursor/locator.js'
import { readBlock, readSink, type ChainHeader } from './header.js'
import type { FollowScope } from './scope.js'

type Node = Pick<FollowScope, 'call'>

/** How old the block time of a sink may be, in ms, so that its node is taken to know the end of the chain. */
const RECENT = 60_000

/** Whether a node denies a block: it is synced, its sink is recent, and the block is not on its chain. Rejects with `ChainRpcError`. */
export async function denies(node: Node, hash: string, now: number): Promise<boolean> {
  const { isSynced } = await node.call('getServerInfo', {})
  if (!isSynced || now - (await readSink(node)).timestamp > RECENT) return false
  return (await readChainBlock(node, hash)) === null
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

/** The newest block below the tip that is on the chains of all nodes; null for none. Rejects with `ChainRpcError`. */
export async function newestShared({ below }: ChainLocator, nodes: readonly Node[]): Promise<ChainHeader | null> {
  for (const { hash, blueScore } of below) {
    const headers = await Promise.all(nodes.map((node) => readChainBlock(node, hash)))
    const [header] = headers
    if (header?.blueScore === blueScore && !headers.includes(null)) return header
  }
  return null
}
