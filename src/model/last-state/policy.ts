import { isWithin } from './summary.js'

/** Ms between two writes. */
export const WRITE_INTERVAL = 5000

/** Ms in which changes are gathered where nothing was written before: an account finds its addresses one by one. */
const GATHERED = 250

/** When a change is written, in ms; `since`: ms since the last write. */
export const toWriteDelay = (since: number): number => Math.max(GATHERED, WRITE_INTERVAL - since)

/** Bytes of all records of a network. */
export const MAX_STORED_BYTES = 64 * 1024 * 1024

/** What is known of the records of a set of addresses without reading them. */
export interface StoredSize {
  /** Unix ms. */
  readonly asOf: number
  /** Bytes of both records. */
  readonly size: number
  /** The digest of the record of UTXOs, in hex; null without one. */
  readonly columns: string | null
}

/** Whether another tab has just written the same. */
export const isJustWritten = (stored: unknown, now: number): boolean =>
  isSize(stored) && isWithin(stored.asOf, { now, maxAge: WRITE_INTERVAL / 2 })

/**
 * The keys of the records to be deleted: those whose size is damaged, of the future, older than `maxAge`, and the
 * oldest ones above the limit.
 */
export function keysToDelete<Key>(
  stored: readonly (readonly [Key, unknown])[],
  { now, maxAge, limit = MAX_STORED_BYTES }: { readonly now: number; readonly maxAge: number; readonly limit?: number },
): readonly Key[] {
  const valid = stored.flatMap(([key, row]) =>
    isSize(row) && isWithin(row.asOf, { now, maxAge }) ? { ...row, key } : [],
  )
  let total = 0
  const kept = new Set(
    valid.sort((a, b) => b.asOf - a.asOf).flatMap(({ key, size }) => ((total += size) <= limit ? key : [])),
  )
  return stored.flatMap(([key]) => (kept.has(key) ? [] : key))
}

export const isSize = (row: unknown): row is StoredSize => {
  if (typeof row !== 'object' || row === null) return false
  const { asOf, size, columns } = row as Partial<Record<keyof StoredSize, unknown>>
  const isDigest = columns === null || typeof columns === 'string'
  return isDigest && Number.isSafeInteger(asOf) && Number.isSafeInteger(size) && Number(size) >= 0
}
