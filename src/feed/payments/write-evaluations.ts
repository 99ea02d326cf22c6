import { quote } from '../../sql/quote.js'
import { textOf, type Query } from '../../sql/session.js'
import { nextSequence } from '../postgres/transfer-rows.js'
import type { Evaluation } from './evaluate.js'
import { toRecordJson } from './record-json.js'
import type { PaymentTables, RequestRow } from './request-rows.js'
import { paymentChannel } from './schema.js'
import { toStateJson } from './state-json.js'

/** A request and what it was evaluated to. */
export interface Evaluated {
  readonly request: Pick<RequestRow, 'id' | 'revision' | 'due'>
  readonly evaluation: Evaluation
}

/**
 * Stores evaluations, their events and the deliveries of these by one statement: of several instances that have
 * evaluated a request, the first one that writes it counts, and the others change nothing of it. Its rows of
 * `payment_due` are deleted with it. Resolves to the ids that were written.
 *
 * The row of `payment_sequence` is locked first, so that events are numbered in the order in which they are committed.
 * `followedAt` is the time, in Unix ms, up to which these were all rows, with the feed at the end of the chain.
 */
export async function writeEvaluations(
  query: Query,
  { schema, network }: PaymentTables,
  evaluated: readonly Evaluated[],
  hasWebhook: boolean,
  followedAt: number | null = null,
): Promise<ReadonlySet<string>> {
  if (evaluated.length === 0) return new Set()
  const s = quote(schema)
  const events = evaluated.filter(({ evaluation }) => evaluation.type !== null).length
  const rows = await query(
    `with moved as (${lockSequence(schema, events, 'to_timestamp($5::text::bigint / 1000.0)')}), given as (
        select g.*, row_number() over (partition by g.type is null) as number
        from jsonb_to_recordset($2::text::jsonb) as g (id text, revision bigint, status text, type text, state jsonb,
          record jsonb, has_unaccepted boolean, first_seen_at bigint, next_blue_score bigint, next_at bigint,
          settled bigint, is_closed boolean, due bigint[])
      ), changed as (
        update ${s}.payment_request as r set status = g.status, revision = r.revision + 1, record = g.record,
          version = r.version + (g.type is not null)::int, state = case when g.type is null then r.state else g.state end,
          has_unaccepted = g.has_unaccepted, next_blue_score = g.next_blue_score, next_at = to_timestamp(g.next_at / 1000.0),
          first_seen_at = coalesce(r.first_seen_at, to_timestamp(g.first_seen_at / 1000.0)),
          settled_blue_score = g.settled, is_closed = g.is_closed
        from given as g
        where r.network = $1 and r.id = g.id and r.revision = g.revision and exists (select from moved)
        returning r.id, r.version, g.type, g.state, g.number, g.due
      ), handled as (
        delete from ${s}.payment_due as d using changed as c where d.sequence = any(c.due)
      ), recorded as (
        insert into ${s}.payment_event (network, sequence, request_id, version, type, state)
          select $1, (select sequence from moved) - ${events} + c.number, c.id, c.version, c.type, c.state
          from changed as c where c.type is not null
          returning request_id, version
      ), queued as (
        insert into ${s}.webhook_delivery (network, request_id, version)
          select $1, request_id, version from recorded where $3::text = 'true'
      )
      select c.id, case when exists (select from recorded) then pg_notify($4, '')::text end as notified from changed as c`,
    [
      ...[network, JSON.stringify(evaluated.map(toJson)), String(hasWebhook), paymentChannel(schema)],
      followedAt === null ? null : String(followedAt),
    ],
  )
  return new Set(rows.map((row) => textOf(row, 'id')))
}

/** Locks the numbers of events until the end of a transaction: before it locks any request. */
export async function lockEvents(query: Query, { schema, network }: PaymentTables): Promise<void> {
  await query(lockSequence(schema, 0), [network])
}

/**
 * Gives out so many numbers of events; the last one is returned. `$1` is the network, `followedAt` the SQL of the time
 * up to which all rows were looked at, or null.
 */
const lockSequence = (schema: string, count: number, followedAt = 'null::timestamptz'): string =>
  `insert into ${quote(schema)}.payment_sequence as q (network, sequence, followed_at)
      values ($1, ${nextSequence('0', String(count))}, ${followedAt})
    on conflict (network) do update set sequence = ${nextSequence('q.sequence', String(count))},
      followed_at = greatest(q.followed_at, excluded.followed_at)
    returning sequence`

const toJson = ({ request, evaluation }: Evaluated) => ({
  id: request.id,
  revision: request.revision,
  status: evaluation.state.status,
  type: evaluation.type,
  state: toStateJson(evaluation.state),
  record: toRecordJson(evaluation.record),
  has_unaccepted: [...evaluation.record.payments.values()].some(({ phase }) => isUnaccepted(phase)),
  first_seen_at: evaluation.firstSeenAt,
  next_blue_score: evaluation.nextBlueScore === null ? null : String(evaluation.nextBlueScore),
  next_at: evaluation.nextAt,
  settled: evaluation.settled === null ? null : String(evaluation.settled),
  is_closed: evaluation.isClosed,
  due: request.due,
})

/** Whether the mempool decides about it. */
const isUnaccepted = ({ step }: { readonly step: string }): boolean => step !== 'accepted' && step !== 'dropped'
