/** The server's pagination of transactions: by block time, never between two of the same time. */

/** A transaction of a list that is sorted by time, newest first. */
export interface Timed {
  readonly block_time: number
  readonly is_accepted: boolean
}

export interface PageRequest {
  readonly limit: number
  /** Only those before this time, in ms; 0: no bound. */
  readonly before: number
  /** Only those after this time, in ms, the oldest first to be selected; 0: no bound. */
  readonly after: number
  readonly acceptance: 'accepted' | 'rejected' | null
}

export interface TransactionPage<T extends Timed> {
  /** Newest first. */
  readonly rows: readonly T[]
  /** The cursor of older rows, if there are any. */
  readonly before: number | undefined
  /** The cursor of newer rows; only for requests with `before` or `after`. */
  readonly after: number | undefined
  /** Whether `limit` rows were found. */
  readonly isFull: boolean
}

/** The time of the first block of any Kaspa network, in ms. */
export const FIRST_BLOCK_TIME = 1_636_298_787_842

/** `all` is the whole list, newest first. Only rows of the requested acceptance are counted and paged. */
export function pageOf<T extends Timed>(
  all: readonly T[],
  { limit, before, after, acceptance }: PageRequest,
): TransactionPage<T> {
  const rows = all.filter(({ is_accepted }) => acceptance === null || is_accepted === (acceptance === 'accepted'))
  const found = after > 0 ? oldestAfter(rows, after, limit) : newestBefore(rows, before, limit)
  const [newest, oldest] = [found[0]?.block_time, found.at(-1)?.block_time]
  const isCursored = before > 0 || after > 0
  return {
    rows: found,
    before: oldest !== undefined && rows.some((row) => row.block_time < oldest) ? oldest : undefined,
    after: isCursored && newest !== undefined && rows.some((row) => row.block_time > newest) ? newest : undefined,
    isFull: found.length >= limit,
  }
}

function newestBefore<T extends Timed>(rows: readonly T[], before: number, limit: number): readonly T[] {
  const candidates = before > 0 ? rows.filter((row) => row.block_time < before) : rows
  const last = candidates[limit - 1]
  return last === undefined ? candidates : candidates.filter((row) => row.block_time >= last.block_time)
}

function oldestAfter<T extends Timed>(rows: readonly T[], after: number, limit: number): readonly T[] {
  const candidates = rows.filter((row) => row.block_time > after)
  const last = candidates.at(-limit)
  return last === undefined ? candidates : candidates.filter((row) => row.block_time <= last.block_time)
}
