import { ChainRpcError } from '../../errors/rpc-error.js'
import { entriesOf, isHeavier, type ChainLocator, type LocatorEntry } from '../../model/chain-cursor/locator.js'
import { isUnavailable } from '../failed-requests.js'
import { isPruned } from './new-position.js'
import { malformed } from '../../node/port.js'
import { readBlock, readSink, type ChainHeader } from './header.js'
import type { ChainPage, ChainSegment, FollowedTransactions } from './reduce-chain.js'
import { type PageSize, readSegment } from './read-segment.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './options.js'

/**
 * What a node has after a position: a page, or no known block although its chain is heavier (`gap`, with the node's
 * last error). `behind`: its chain does not reach the position yet, so nothing can be concluded from it.
 */
export type ChainRead =
  | { readonly type: 'page'; readonly page: ChainPage<FollowedTransactions> }
  | { readonly type: 'behind' }
  | { readonly type: 'gap'; readonly cause: ChainRpcError; readonly sink: ChainHeader }

export interface ReadContext {
  readonly locator: ChainLocator
  readonly settings: FollowSettings
  readonly size: PageSize
  /** Whether the last page of this connection is recent and ended at the tip. */
  readonly isRecent: boolean
}

const NO_BLOCKS = { blocks: [], fork: null, isCut: false, isAtTip: true } as const

/** Reads the continuation of a position. Rejects with `ChainRpcError`. */
export async function readChain(scope: FollowScope, context: ReadContext): Promise<ChainRead> {
  return (context.isRecent ? await readRecent(scope, context) : null) ?? readAgainstSink(scope, context)
}

/** The new blocks of a moment, in one request. Null where more is needed to be sure, as after a reorg. */
async function readRecent(scope: FollowScope, { locator, settings, size }: ReadContext): Promise<ChainRead | null> {
  if (settings.minConfirmations > 0n) return null
  const segment = await readFrom(scope, { start: locator.tip, sinkScore: null, settings, size })
  if (segment instanceof ChainRpcError || segment.removed.length > 0) return null
  return { type: 'page', page: { ...segment, fork: null, isAtTip: !segment.isCut } }
}

/**
 * Reads the sink first: a node that does not know the position, or reports it as removed, proves a reorg only where the
 * sink that it had before is heavier. A node that is syncing, or restored from an older state, responds alike.
 */
async function readAgainstSink(scope: FollowScope, context: ReadContext): Promise<ChainRead> {
  const { locator, settings, size } = context
  const { tip } = locator
  const sink = await readSink(scope)
  if (sink.hash === tip.hash) return { type: 'page', page: NO_BLOCKS }
  const causes: ChainRpcError[] = []
  for (const start of entriesOf(locator)) {
    const segment = await readFrom(scope, { start, sinkScore: sink.blueScore, settings, size })
    const isContinuation =
      !(segment instanceof ChainRpcError) && segment.removed.length === 0 && start.hash === tip.hash
    if (!isContinuation && !isHeavier(sink, tip)) return { type: 'behind' }
    if (segment instanceof ChainRpcError) causes.push(segment)
    else return { type: 'page', page: await toPage(scope, segment, start, isContinuation, sink, context) }
  }
  const cause = causes.find(isPruned) ?? causes[0]
  if (cause === undefined) throw malformed('getSink', 'the position has no blocks')
  return { type: 'gap', cause, sink }
}

/** The chain after a block; the node's error where it does not have the block. */
async function readFrom(
  scope: FollowScope,
  request: Parameters<typeof readSegment>[1],
): Promise<ChainSegment<FollowedTransactions> | ChainRpcError> {
  try {
    const segment = await readSegment(scope, request)
    const [newest] = segment.removed
    if (newest !== undefined && newest !== request.start.hash)
      throw malformed('getVirtualChainFromBlockV2', 'the first removed block is not the start block')
    return segment
  } catch (error) {
    if (isUnavailable(error)) return error
    throw error
  }
}

/** A segment as continuation of the position: with the fork point, without blocks that are not deep enough. */
async function toPage(
  scope: FollowScope,
  segment: ChainSegment<FollowedTransactions>,
  start: LocatorEntry,
  isContinuation: boolean,
  sink: ChainHeader,
  { locator: { tip }, settings: { minConfirmations } }: ReadContext,
): Promise<ChainPage<FollowedTransactions>> {
  const fork = isContinuation ? null : await readFork(scope, segment.removed, start, tip)
  const horizon = sink.blueScore - minConfirmations
  const deep = minConfirmations === 0n ? segment.blocks : segment.blocks.filter(({ blueScore }) => blueScore <= horizon)
  const isCut = segment.isCut && deep.length === segment.blocks.length
  const end = deep.at(-1)?.blueScore ?? fork?.blueScore ?? start.blueScore
  return { blocks: deep, fork, isCut, isAtTip: end >= horizon || (!isCut && deep.length === 0) }
}

/**
 * The last block that stays: the selected parent of the last removed one; the start itself where none was removed.
 * Rejects with `ChainRpcError` (`malformed`) where it cannot be below the position.
 */
async function readFork(
  scope: FollowScope,
  removed: readonly string[],
  start: LocatorEntry,
  tip: LocatorEntry,
): Promise<ChainHeader> {
  const last = removed.at(-1)
  const hash = last === undefined ? start.hash : (await readBlock(scope, last)).verboseData.selectedParentHash
  const { verboseData: _, ...header } = await readBlock(scope, hash)
  const { blueScore } = header
  if (last === undefined ? blueScore !== start.blueScore : blueScore >= start.blueScore)
    throw malformed('getBlock', 'the last block that stays is not below the removed ones')
  if (tip.blueScore - blueScore > FINALITY_DEPTH) throw malformed('getBlock', 'a reorg is deeper than finality')
  return header
}

/** In blue score: nodes of all networks accept no chain that leaves theirs below. */
const FINALITY_DEPTH = 432_000n
