import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { entriesOf, type ChainLocator } from '../../model/chain-cursor/locator.js'
import { newestOf, readChainBlock } from './denial.js'
import { readPruningPoint } from './gaps.js'
import type { ChainHeader } from './header.js'
import { createPageSize } from './page-size.js'
import { readSegment } from './read-segment.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './settings.js'

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
