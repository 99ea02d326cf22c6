import { quote, type Query } from '../../sql/session.js'
import type { PruneQuery, Pruned } from '../../streams/payouts/journal.js'
import type { SqlScope } from './write-change.js'

/** Removes the outputs of settled transactions, and events, at most `limit` rows of each. In a transaction. */
export async function pruneRows(
  query: Query,
  { schema, network, wallet }: SqlScope,
  { olderThan, blueScore, limit }: PruneQuery,
): Promise<Pruned> {
  const s = quote(schema)
  const attempts = await query(
    `with due as (
        select a.transaction_id
        from ${s}.payout_attempt as a join ${s}.payout_group as g on g.network = a.network and g.id = a.grp
        where a.network = $1 and g.wallet = $2 and g.state = 'settled'
          and a.signed_at < to_timestamp($3::text::double precision / 1000) and a.signed -> 'outputs' <> '[]'
          and not exists (select from ${s}.payout_attempt as o
            where o.network = a.network and o.grp = a.grp and o.accepted_blue_score > $4::text::bigint)
        limit $5::text::bigint
        for update of g skip locked
      )
      update ${s}.payout_attempt as a set signed = (a.signed - 'restore') || '{"outputs":[]}'
      from due where a.network = $1 and a.transaction_id = due.transaction_id
      returning 1`,
    [network, wallet, String(olderThan), String(blueScore), String(limit)],
  )
  const events = await query(
    `delete from ${s}.payout_event where sequence in (
        select sequence from ${s}.payout_event
        where network = $1 and wallet = $2 and at < to_timestamp($3::text::double precision / 1000)
        order by payout_event.sequence limit $4::text::bigint
      ) returning 1`,
    [network, wallet, String(olderThan), String(limit)],
  )
  return { attempts: attempts.length, events: events.length }
}
