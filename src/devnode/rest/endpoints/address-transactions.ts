import type { LedgerTransaction } from '../../ledger/ledger.js'
import { addressInPath, checkAddress } from '../address.js'
import { byAge } from '../cache-ages.js'
import { between, oneOf, orNull, text, usually } from '../http/reader.js'
import { internalError, ok, refuse } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { blockTimeOf, pickFields, toListed, type Resolution } from '../records/transaction.js'
import { FIRST_BLOCK_TIME, pageOf, type PageRequest, type Timed, type TransactionPage } from '../transaction-pages.js'

const HOUR = 3_600_000
const MAX_INTEGER = 2 ** 63

const pageSize = usually(between(1, 500), 50)
const fields = usually(text, '')
const resolve = usually(oneOf('no', 'light', 'full'), 'no')
const time = usually(between(0), 0)

/** The transactions of an address, accepted or not, newest first. */
export const addressTransactionRoutes: readonly Route[] = [
  get('/addresses/{kaspaAddress}/full-transactions', {
    inPath: addressInPath,
    query: { limit: pageSize, offset: usually(between(0), 0), fields, resolve_previous_outpoints: resolve },
    strict: true,
    answer({ path, query }, indexer) {
      const rows = rowsOf(indexer, checkAddress(path.kaspaAddress)).slice(query.offset, query.offset + query.limit)
      const told = tell(indexer, rows, query.resolve_previous_outpoints, query.fields)
      return ok(told, query.offset > 0 ? offsetAge(indexer, rows) : 8)
    },
  }),

  get('/addresses/{kaspaAddress}/full-transactions-page', {
    inPath: addressInPath,
    query: {
      limit: pageSize,
      before: time,
      after: time,
      fields,
      resolve_previous_outpoints: resolve,
      acceptance: usually(orNull(oneOf('accepted', 'rejected')), null),
    },
    strict: true,
    answer({ path, query }, indexer) {
      const address = checkAddress(path.kaspaAddress)
      if (query.before > 0 && query.after > 0) throw refuse(400, 'Only one of [before, after] can be present')
      if (query.before >= MAX_INTEGER || query.after >= MAX_INTEGER) throw internalError()
      const isNowhere = query.after > indexer.now + HOUR || (query.before > 0 && query.before <= FIRST_BLOCK_TIME)
      const page = pageOf(isNowhere ? [] : rowsOf(indexer, address), query)
      if (query.after > 0 && page.isFull) failOnward(page, query.fields)
      const told = tell(indexer, page.rows, query.resolve_previous_outpoints, query.fields)
      return ok(told, pageAge(indexer, query, page), cursorsOf(page))
    },
  }),
]

/** A transaction of an address before it is told: its time and its fate are enough to find the page. */
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

function tell(indexer: Indexer, rows: readonly Row[], resolve: Resolution, fields: string): readonly object[] {
  const view = { inputs: true, outputs: true, resolve }
  return pickFields(
    rows.map(({ found }) => toListed(indexer, found, view)),
    fields,
  )
}

/** The server pages onward by what it has put together for the client, and fails where it left the time out, or everything. */
function failOnward({ rows }: TransactionPage<Row>, asked: string): void {
  if (rows.length === 0 || (asked !== '' && !asked.split(',').includes('block_time'))) throw internalError()
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
