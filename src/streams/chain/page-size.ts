import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import type { FollowedTransactions, ScoredBlock } from './page.js'

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
