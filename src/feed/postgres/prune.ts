import { quote, textOf, type Query } from '../../sql/session.js'
import type { Tables } from './transfer-rows.js'

/** How deep, in blue score, a chain block must be before its rows are pruned: an hour, more than any reorg. */
const DEPTH = 36_000

/** Debits of one batch. */
const BATCH = 1_000

/**
 * The sum, in sompi, from which a closing row takes nothing more: with one more amount, the supply at most, it still
 * fits a `bigint`. A wallet that spends its change again and again moves as much within weeks.
 */
const FULL = String(2n ** 62n)

/** What a batch has pruned. */
export interface Pruned {
  /** Debits, each with its credit. */
  readonly count: number
  /** The blue score up to which the batch has come; the next one begins there. */
  readonly blueScore: bigint
  /** Whether there may be more. */
  readonly isFull: boolean
}

/**
 * Replaces one batch of spent credits and their debits, older than `retain` ms, by closing rows: for each address one
 * of each direction, and one more for change; further ones where these are full. Balances, sums of credits and what was
 * paid stay as they are. Credits that are not spent stay, because a debit is recognised by them. Addresses of payment
 * requests that are not closed stay whole. In a transaction that has the lock of the cursor.
 */
export async function pruneRows(query: Query, tables: Tables, retain: number, after: bigint): Promise<Pruned> {
  const { schema, network } = tables
  const s = quote(schema)
  const [row] = await query(
    `with due as (
        select d.network_id, d.outpoint_transaction_id as id, d.outpoint_index as index, d.accepting_blue_score as score
        from ${s}.transfer_row as d, ${s}.cursor as c
        where c.network = $1 and d.network_id = (select id from ${s}.network where name = $1) and d.is_debit and not d.is_opening
          and d.accepting_blue_score >= $2::text::bigint and d.accepting_blue_score <= c.blue_score - ${DEPTH}
          and d.accepted_at < now() - $3::text::bigint * interval '1 millisecond'
          ${isNotRequested(schema)}
        order by d.accepting_blue_score limit ${BATCH}
      ), deleted as (
        delete from ${s}.transfer_row as t using due
          where t.network_id = due.network_id and t.outpoint_transaction_id = due.id and t.outpoint_index = due.index returning t.*
      ), parted as (
        select d.*, coalesce(c.part, 0) + floor((coalesce(c.amount, 0) + d.before) / ${FULL})::int as part
        from (select t.network_id, t.is_debit, t.address_id, not t.is_debit and t.is_change as is_change, t.amount,
              t.accepting_blue_score, t.accepting_daa_score, t.accepted_at, t.sequence, a.address,
              sum(t.amount) over (partition by t.address_id, t.is_debit, not t.is_debit and t.is_change order by t.sequence)
                - t.amount as before
            from deleted as t join ${s}.address as a on a.id = t.address_id) as d
          left join lateral (select t.outpoint_index / 2 as part, t.amount from ${s}.transfer_row as t
            where t.outpoint_transaction_id = decode(d.address, 'escape') and t.network_id = d.network_id
              and t.is_debit = d.is_debit and t.outpoint_index % 2 = d.is_change::int
            order by t.outpoint_index desc limit 1) as c on true
      ), closing as (
        insert into ${s}.transfer_row as t (network_id, is_debit, outpoint_transaction_id, outpoint_index, address_id, amount,
            transaction_id, accepting_block_hash, covenant_id, accepting_blue_score, accepting_daa_score, accepted_at,
            is_coinbase, is_opening, is_change, is_internal, counterparties, sequence)
          select network_id, is_debit, decode(address, 'escape'), is_change::int + 2 * part, address_id, sum(amount)::bigint,
            '', '', '', max(accepting_blue_score), max(accepting_daa_score), max(accepted_at), false, true, is_change, false,
            '', max(sequence)
          from parted group by network_id, is_debit, address, address_id, is_change, part
        on conflict (outpoint_transaction_id, outpoint_index, network_id, is_debit) do update set
          amount = t.amount + excluded.amount,
          accepting_blue_score = greatest(t.accepting_blue_score, excluded.accepting_blue_score),
          accepting_daa_score = greatest(t.accepting_daa_score, excluded.accepting_daa_score),
          accepted_at = greatest(t.accepted_at, excluded.accepted_at),
          sequence = greatest(t.sequence, excluded.sequence)
      ), reached as (
        update ${s}.cursor set pruned_blue_score = greatest(pruned_blue_score, (select max(score) from due)) where network = $1
      )
      select count(*)::text as count, coalesce(max(score), $2::text::bigint)::text as score from due`,
    [network, String(after), String(retain)],
  )
  const count = row === undefined ? 0 : Number(textOf(row, 'count'))
  return { count, blueScore: row === undefined ? after : BigInt(textOf(row, 'score')), isFull: count === BATCH }
}

const isNotRequested = (schema: string): string => {
  const s = quote(schema)
  return `and not exists (select from ${s}.payment_request as p join ${s}.address as a using (network, address)
    where a.id = d.address_id and not p.is_closed)`
}
