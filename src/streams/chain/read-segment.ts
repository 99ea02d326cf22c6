import { ChainRpcError } from '../../errors/rpc-error.js'
import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { ChainSegment, FollowedTransactions, ScoredBlock } from './reduce-chain.js'
import { readV1, readV2 } from './read-by-version.js'
import type { FollowSettings } from './options.js'
import type { NodeRequests } from './node-requests.js'
import { TransactionIds } from '../../model/transaction-ids.js'

/** Blocks of one page of a node below 1.1, which has no headers: each costs a request. */
const OLD_NODE_BLOCKS = 100

/** Blue score above the start that a single block never exceeds: twice the largest merge set. */
const SINGLE_BLOCK_SPAN = 600n

/** How much less is requested after a page with a script without an address. */
const SHRINK = 8n

/** What a segment is read with; `sinkScore` is null where the number of new blocks is known to be small. */
interface SegmentRequest {
  readonly start: LocatorEntry
  readonly sinkScore: bigint | null
  readonly settings: Pick<FollowSettings, 'detail' | 'minConfirmations' | 'addressOf'>
  readonly size: PageSize
}

/** The chain after a block, as much as fits a page. Rejects with `ChainRpcError`. */
export async function readSegment(
  scope: NodeRequests,
  request: SegmentRequest,
): Promise<ChainSegment<FollowedTransactions>> {
  try {
    return await readPages(scope, request)
  } catch (error) {
    const { settings } = request
    if (settings.detail !== 'ids' || !(error instanceof ChainRpcError) || error.code !== 'unsupported') throw error
    return readV1(scope, request.start.hash, OLD_NODE_BLOCKS, settings)
  }
}

/**
 * Requests a page, smaller ones while it contains a script without an address, and the next block by other methods
 * where that script is in it.
 */
async function readPages(scope: NodeRequests, request: SegmentRequest): Promise<ChainSegment<FollowedTransactions>> {
  const { start, settings, size } = request
  let hasMissingAddress = false
  for (let span = size.span(); span > 0n; span = hasMissingAddress ? span / SHRINK : span * SHRINK) {
    const { count, isCut } = countFor(request, span)
    try {
      const segment = await readV2(scope, start, count, settings)
      if (segment.blocks.length > 0 || segment.removed.length > 0 || !isCut) {
        size.record(segment.blocks, start)
        return { ...segment, isCut }
      }
      if (hasMissingAddress) break
    } catch (error) {
      if (!isMissingAddress(error)) throw error
      hasMissingAddress = true
      if (request.sinkScore === null) break
    }
  }
  size.reset()
  return { ...(await readSingle(scope, request)), isCut: true }
}

const readSingle = (scope: NodeRequests, request: SegmentRequest): Promise<ChainSegment<FollowedTransactions>> =>
  readV1(scope, request.start.hash, 1, request.settings, countFor(request, SINGLE_BLOCK_SPAN).count)

/**
 * The `minConfirmationCount` that cuts a page `span` above its start. A node returns blocks that are more than the
 * count below its sink; 0 returns all.
 */
function countFor(
  { start, sinkScore, settings: { minConfirmations } }: SegmentRequest,
  span: bigint,
): { readonly count: bigint; readonly isCut: boolean } {
  const least = minConfirmations > 0n ? minConfirmations - 1n : 0n
  const above = sinkScore === null ? 0n : sinkScore - start.blueScore - span - 1n
  return above > least ? { count: above, isCut: true } : { count: least, isCut: false }
}

/** The error of a node for a page that contains a script without an address, at every verbosity from Low. */
const isMissingAddress = (error: unknown): boolean =>
  error instanceof ChainRpcError && error.code === 'remote' && /address is invalid/i.test(error.details)

/** How much of the chain the next page should cover, in blue score, so that its response stays near 8 MB. */
export interface PageSize {
  span(): bigint
  /** Adapts to a page that was read. */
  record(blocks: readonly ScoredBlock<FollowedTransactions>[], start: LocatorEntry): void
  /** Starts with small pages again. */
  reset(): void
  /** A page was not received: the next one is smaller. */
  shrink(): void
}

const TARGET_BYTES = 8_000_000

/** 30 kB of empty blocks; 6 MB of blocks that accept 20 payments each. */
const FIRST_SPAN = 400n

/** A node does not return more than about 2,480 merged blocks. */
const LARGEST_SPAN = 2_500n

/** A page is at most four times larger than the one before: what it contains may be denser. */
const GROWTH = 4n

/** Bytes of a transaction: of an empty one, and of each input and output. Blocks with ids only are read at 700. */
const TRANSACTION_BYTES = 300
const PART_BYTES = 200
const BLOCK_BYTES = 400

export function createPageSize(): PageSize {
  let span = FIRST_SPAN
  return {
    span: () => span,
    record(blocks, start) {
      const last = blocks.at(-1)
      if (last === undefined) return
      const covered = Number(last.blueScore - start.blueScore)
      const fitting = (TARGET_BYTES * Math.max(1, covered)) / bytesOf(blocks)
      span = least(BigInt(Math.max(1, Math.floor(fitting))), span * GROWTH, LARGEST_SPAN)
    },
    reset: () => (span = GROWTH),
    shrink: () => (span = span > GROWTH ? span / GROWTH : 1n),
  }
}

const least = (...values: readonly bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b))

function bytesOf(blocks: readonly ScoredBlock<FollowedTransactions>[]): number {
  let bytes = 0
  for (const { transactions } of blocks) {
    bytes += BLOCK_BYTES
    bytes += TRANSACTION_BYTES * transactions.length
    if (transactions instanceof TransactionIds) {
      bytes += 2 * PART_BYTES * transactions.length
      continue
    }
    for (const { inputs, outputs, payload } of transactions)
      bytes += PART_BYTES * (inputs.length + outputs.length) + payload.length / 2
  }
  return bytes
}
