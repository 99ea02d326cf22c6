import { quote } from '../../sql/quote.js'
import type { Query } from '../../sql/session.js'
import { readRequests, type PaymentTables, type ReadRequests } from './request-rows.js'

/** Requests of one statement: a batch of them takes a few MB, and others wait for its locks. */
export const BATCH = 500

/**
 * The requests that can change: those whose rows have changed, that reach a depth, or that expire. Each by an index, so
 * that open requests that nothing happens to cost nothing.
 */
export function readDue(query: Query, tables: PaymentTables): Promise<ReadRequests> {
  const s = quote(tables.schema)
  const ids = `
    (select r.id from ${s}.payment_due as d join ${s}.payment_request as r on r.network = d.network and r.address = d.address
      where d.network = $1 order by d.sequence limit ${BATCH})
    union (select id from ${s}.payment_request where network = $1
      and next_blue_score <= (select blue_score from place) order by next_blue_score limit ${BATCH})
    union (select id from ${s}.payment_request where network = $1 and next_at <= now() order by next_at limit ${BATCH})
    limit ${BATCH}`
  return readRequests(query, tables, ids)
}

/** The requests of ids. */
export const readByIds = (query: Query, tables: PaymentTables, ids: readonly string[]): Promise<ReadRequests> =>
  readRequests(query, tables, 'select unnest($2::text[]) as id', [ids])

/**
 * Notes that all rows up to a moment were looked at, while the feed was at the end of the chain: what is found later
 * was not stored then.
 */
export async function noteFollowed(query: Query, { schema, network }: PaymentTables, at: number): Promise<void> {
  await query(
    `insert into ${quote(schema)}.payment_sequence as q (network, sequence, followed_at)
        values ($1, 0, to_timestamp($2::text::bigint / 1000.0))
      on conflict (network) do update set followed_at = greatest(q.followed_at, excluded.followed_at)`,
    [network, String(at)],
  )
}
