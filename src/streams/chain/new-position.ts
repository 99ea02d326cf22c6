import { invalidArgument, ChainError } from '../../errors/chain-error.js'
import { entriesOf, type ChainLocator, type LocatorEntry, locatorAt } from '../../model/chain-cursor/locator.js'
import { newestOf, readChainBlock, type ChainHeader, denies, hasTip, newestShared, readBlock } from './header.js'
import { createPageSize, readSegment } from './read-segment.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './options.js'
import { redact } from '../../errors/redact.js'
import type { Session } from '../session/establish.js'
import type { Witness } from './node-requests.js'
import { historyGap, type HistoryGap } from '../../errors/history-gap.js'
import type { ChainRpcError } from '../../errors/rpc-error.js'
import { encodeCursor } from '../../model/chain-cursor/encode-cursor.js'
import { continueAt, type ChainState } from './reduce-chain.js'

/**
 * The block of the option `rewindTo`: the one with that hash, or the newest one of the node's chain up to that blue
 * score; an older one where the position left the chain of the node below it, because rows up to the block are of
 * another chain then. Rejects with `ChainError` (`invalid-argument`) where the node does not have it, or where it is
 * above the position.
 */
export async function readRewindTarget(
  scope: FollowScope,
  rewindTo: string,
  locator: ChainLocator,
  settings: FollowSettings,
): Promise<ChainHeader> {
  const { tip } = locator
  const isScore = /^\d{1,19}$/.test(rewindTo)
  if (isScore && BigInt(rewindTo) > tip.blueScore) throw refuse('is above the cursor', locator)
  const shared = await newestOf(entriesOf(locator), [scope])
  if (isScore && shared !== null && shared.blueScore <= BigInt(rewindTo)) return shared
  const header = isScore
    ? await readAtScore(scope, BigInt(rewindTo), locator, settings)
    : await readChainBlock(scope, rewindTo)
  if (header === null) throw refuse('is no block of the chain of the node', locator)
  if (header.blueScore > tip.blueScore) throw refuse('is above the cursor', locator)
  return shared !== null && shared.blueScore < header.blueScore ? shared : header
}

/** The newest chain block up to a blue score; null where the node has pruned it. */
async function readAtScore(
  scope: FollowScope,
  score: bigint,
  locator: ChainLocator,
  settings: FollowSettings,
): Promise<ChainHeader | null> {
  const older = await readOlder(scope, score, locator)
  if (older === null) return null
  const size = createPageSize()
  for (let found = older; ;) {
    const request = { start: found, sinkScore: locator.tip.blueScore, settings: { ...settings, ...IDS }, size }
    const { blocks, removed } = await readSegment(scope, request)
    if (removed.length > 0) return readAtScore(scope, score, locator, settings) // a reorg in between
    const last = blocks.filter(({ blueScore }) => blueScore <= score).at(-1)
    if (last === undefined) return found
    const { transactions: _, ...header } = last
    found = header
    if (last !== blocks.at(-1)) return found
  }
}

const IDS = { detail: 'ids', minConfirmations: 0n } as const

/** A block of the position, or the pruning point, that is on the chain of the node and not above a blue score. */
async function readOlder(scope: FollowScope, score: bigint, locator: ChainLocator): Promise<ChainHeader | null> {
  for (const { hash } of entriesOf(locator).filter(({ blueScore }) => blueScore <= score)) {
    const header = await readChainBlock(scope, hash)
    if (header !== null && header.blueScore <= score) return header
  }
  const pruned = await readPruningPoint(scope)
  return pruned.blueScore <= score ? pruned : null
}

const refuse = (fault: string, { tip }: ChainLocator): ChainError =>
  invalidArgument(
    'rewindTo',
    `"rewindTo" ${fault}`,
    `Pass the hash of a chain block, or a blue score, from the oldest block of the node up to ${tip.blueScore}.`,
  )

/** A position that is no block of the chain, and where the iteration goes on. */
interface Rewind {
  readonly to: ChainHeader
  /** The endpoints that deny the position. */
  readonly urls: readonly string[]
}

/**
 * Where a node stays behind a position, or its chain cannot continue it: one that two endpoints of different hosts deny
 * counts as removed, whatever its work was, because the node that followed it last may have invented the block, its
 * blue score or its blue work. With `onBehind: 'rewind'` the connected node is enough. Null: wait.
 */
export async function resolveBehind(
  scope: FollowScope,
  locator: ChainLocator,
  { connection }: Session,
  { onBehind }: Pick<FollowSettings, 'onBehind'>,
): Promise<Rewind | null> {
  const { tip } = locator
  const { url } = connection.endpoint
  let isDenied: boolean | undefined // requested where there is a witness
  for await (const witness of scope.witnesses(url)) {
    isDenied ??= await denies(scope, tip, scope.time())
    const to = isDenied ? await whereBoth(scope, witness, locator) : null
    if (to !== null) return { to, urls: [url, witness.url].map((each) => redact(each)) }
  }
  if (onBehind !== 'rewind' || !(await scope.call('getServerInfo', {})).isSynced) return null
  const to = (await hasTip(scope, tip)) ? null : await newestShared(locator, [scope])
  return to === null ? null : { to, urls: [redact(url)] }
}

/** The newest block that both nodes have, where the witness denies the position too. */
async function whereBoth(scope: FollowScope, witness: Witness, locator: ChainLocator): Promise<ChainHeader | null> {
  try {
    return (await denies(witness, locator.tip, scope.time())) ? await newestShared(locator, [scope, witness]) : null
  } catch (error) {
    if (error instanceof ChainError) return null // it says nothing
    throw error
  }
}

/**
 * Whether an endpoint of another host has a block of the position on its chain: then a node that has none is at fault.
 */
export async function isKnownElsewhere(
  scope: FollowScope,
  locator: ChainLocator,
  { connection }: Session,
): Promise<boolean> {
  const has = async (witness: Witness, { hash }: LocatorEntry): Promise<boolean> =>
    readChainBlock(witness, hash).then(
      (header) => header !== null,
      () => false,
    )
  for await (const witness of scope.witnesses(connection.endpoint.url))
    for (const entry of entriesOf(locator)) if (await has(witness, entry)) return true
  return false
}

/** A position that the node does not have, and its error. */
export interface MissingPosition {
  readonly from: HistoryGap['from']
  readonly cause: ChainRpcError
  readonly sink: ChainHeader
}

/** Rejects with `history-gap`, or continues behind the gap, as the settings say. */
export async function passGap<Transactions>(
  scope: FollowScope,
  { from, cause, sink }: MissingPosition,
  { onGap, onGapFound, network }: FollowSettings,
): Promise<ChainState<Transactions>> {
  const to = onGap === 'sink' ? sink : await readPruningPoint(scope)
  const reason = isPruned(cause) ? 'pruned' : 'unknown-history'
  const error = historyGap(
    {
      from,
      to: { hash: to.hash, blueScore: to.blueScore },
      reason,
      resumeCursor: encodeCursor(locatorAt(to), network),
    },
    cause,
  )
  if (onGap === 'reject') throw error
  onGapFound?.(error)
  return continueAt(to)
}

/** The error of a node that had the block and has deleted what belongs to it. */
export const isPruned = ({ details }: ChainRpcError): boolean => /retention root|source on its chain/i.test(details)

/** The oldest block from which the node can serve the chain. */
export async function readPruningPoint(scope: FollowScope): Promise<ChainHeader> {
  const { pruningPointHash } = await scope.call('getBlockDagInfo', {})
  return readBlock(scope, pruningPointHash)
}
