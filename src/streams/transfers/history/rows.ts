import type { ChainTransaction } from '../../chain/batch.js'
import type { Acceptance } from './entry.js'

/** An accepted transaction of some address. */
export interface HistoryRow {
  readonly transaction: ChainTransaction
  readonly acceptance: Acceptance
  /** All addresses of its inputs and outputs. */
  readonly addresses: readonly string[]
  /** Whether it was read from the chain, not from the indexer. */
  readonly isFollowed: boolean
}

/** Rows by transaction id. */
export type Rows = ReadonlyMap<string, HistoryRow>

export const NO_ROWS: Rows = /*#__PURE__*/ new Map()

/** The distinct addresses of a transaction. */
export const addressesOf = ({ inputs, outputs }: ChainTransaction): readonly string[] => [
  ...new Set([...inputs, ...outputs].flatMap(({ address }) => address ?? [])),
]

export const withRows = (rows: Rows, added: readonly HistoryRow[]): Rows =>
  added.length === 0 ? rows : new Map([...rows, ...added.map((row) => [row.transaction.id, row] as const)])

/** The rows that fulfil a condition; the same object where all do. */
export function rowsWhere(rows: Rows, isKept: (row: HistoryRow) => boolean): Rows {
  const kept = [...rows].filter(([, row]) => isKept(row))
  return kept.length === rows.size ? rows : new Map(kept)
}

/** Newest first. */
export function newestFirst(left: HistoryRow, right: HistoryRow): number {
  const [leftScore, rightScore] = [left.acceptance.blueScore, right.acceptance.blueScore]
  if (leftScore !== rightScore) return leftScore > rightScore ? -1 : 1
  return left.transaction.id < right.transaction.id ? -1 : 1
}
