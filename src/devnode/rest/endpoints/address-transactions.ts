import type { LedgerTransaction } from '../../ledger/ledger.js'
import { addressParam, checkAddress } from './addresses.js'
import { byAge } from '../period.js'
import { between, oneOf, orNull, text, withDefault } from '../http/reader.js'
import { internalError, ok, refuse } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { blockTimeOf, pickFields, toListed, type Resolution } from '../records/transaction.js'

const HOUR = 3_600_000
const MAX_INTEGER = 2 ** 63

const pageSize = withDefault(between(1, 500), 50)
const fields = withDefault(text, '')
const resolve = withDefault(oneOf('no', 'light', 'full'), 'no')
const time = withDefault(between(0), 0)

/** The transactions of an address, accepted or not, newest first. */
export const addressTransactionRoutes: readonly Route[] = [
  get('/addresses/{kaspaAddress}/full-transactions', {
    pathParams: addressParam,
    query: { limit: pageSize, offset: withDefault(between(0), 0), fields, resolve_previous_outpoints: resolve },
    strict: true,
    handle({ path, query }, indexer) {
      const rows = rowsOf(indexer, checkAddress(path.kaspaAddress)).slice(query.offset, query.offset + query.limit)
      const records = toRecords(indexer, rows, query.resolve_previous_outpoints, query.fields)
      return ok(records, query.offset > 0 ? offsetAge(indexer, rows) : 8)
    },
  }),

  get('/addresses/{kaspaAddress}/full-transactions-page', {
    pathParams: addressParam,
    query: {
      limit: pageSize,
      before: time,
      after: time,
      fields,
      resolve_previous_outpoints: resolve,
      acceptance: withDefault(orNull(oneOf('accepted', 'rejected')), null),
    },
    strict: true,
    handle({ path, query }, indexer) {
      const address = checkAddress(path.kaspaAddress)
      if (query.before > 0 && query.after > 0) throw refuse(400, 'Only one of [before, after] can be present')
      if (query.before >= MAX_INTEGER || query.after >= MAX_INTEGER) throw internalError()
      const isOutOfRange = query.after > indexer.now + HOUR || (query.before > 0 && query.before <= FIRST_BLOCK_TIME)
      const page = pageOf(isOutOfRange ? [] : rowsOf(indexer, address), query)
      if (query.after > 0 && page.isFull) checkNextPage(query.fields)
      const records = toRecords(indexer, page.rows, query.resolve_previous_outpoints, query.fields)
      return ok(records, pageAge(indexer, query, page), cursorsOf(page))
    },
  }),
]

/** A transaction of an address, with the fields that pagination needs. */
interface Row extends Timed {
  readonly found: LedgerTransaction
}

function rowsOf(indexer: Indexer, address: string): readonly Row[] {
  const rows = indexer.ledger.history.transactionIdsOf(address).flatMap((id) => {
    const found = indexer.transaction(id)
    if (found === undefined) return []
    return [{ found, block_time: blockTimeOf(indexer, found), is_accepted: found.acceptingBlockHash !== undefined }]
  })
  return rows.sort((left, right) => right.block_time - left.block_time)
}

function toRecords(indexer: Indexer, rows: readonly Row[], resolve: Resolution, fields: string): readonly object[] {
  const view = { inputs: true, outputs: true, resolve }
  return pickFields(
    rows.map(({ found }) => toListed(indexer, found, view)),
    fields,
  )
}

/** The server computes the next cursor from the records, and fails if they have no time. */
function checkNextPage(fieldNames: string): void {
  if (fieldNames !== '' && !fieldNames.split(',').includes('block_time')) throw internalError()
}

function offsetAge(indexer: Indexer, [newest]: readonly Row[]): number {
  const age = newest === undefined ? 0 : indexer.now - newest.block_time
  if (age < 10 * 60_000) return 8
  return age < 24 * HOUR ? 60 : 600
}

function pageAge(indexer: Indexer, { before, after }: PageRequest, page: TransactionPage<Row>): number {
  if (before > FIRST_BLOCK_TIME) return byAge(Math.abs(indexer.now - before))
  const [newest] = page.rows
  return after > 0 && page.isFull && newest !== undefined ? byAge(indexer.now - newest.block_time) : 8
}

function cursorsOf({ rows, before, after }: TransactionPage<Row>): Readonly<Record<string, string>> {
  return {
    'x-page-count': String(rows.length),
    ...(after !== undefined && { 'x-next-page-after': String(after) }),
    ...(before !== undefined && { 'x-next-page-before': String(before) }),
  }
}

/** The server's pagination of transactions: by block time, never between two of the same time. */

/** A transaction of a list that is sorted by time, newest first. */
interface Timed {
  readonly block_time: number
  readonly is_accepted: boolean
}

interface PageRequest {
  readonly limit: number
  /** Only those before this time, in ms; 0: no bound. */
  readonly before: number
  /** Only those after this time, in ms, the oldest first to be selected; 0: no bound. */
  readonly after: number
  readonly acceptance: 'accepted' | 'rejected' | null
}

interface TransactionPage<T extends Timed> {
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
const FIRST_BLOCK_TIME = 1_636_298_787_842

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
