import { type SqlSession, textOf, type Query, quote } from '../../sql/session.js'
import { evaluate, type RequestLook, type Evaluation } from './evaluate.js'
import { BATCH, noteFollowed, readByIds, readDue } from './read-requests.js'
import type { PaymentTables, ReadRequests, RequestRow } from './request-rows.js'
import { nextSequence } from '../postgres/transfer-rows.js'
import { toRecordJson } from './record-json.js'
import { paymentChannel } from './schema.js'
import { toStateJson } from './payment.js'

/** What an evaluation writes where. */
export interface EvaluatorContext {
  readonly session: Pick<SqlSession, 'run'>
  readonly tables: PaymentTables
  /** Whether events are delivered by webhooks. */
  readonly hasWebhook: boolean
}

/** What a round has done. */
interface Round {
  /** Requests that were written. */
  readonly written: number
  /** Events among them. */
  readonly events: number
}

/** Evaluates all requests that can change, batch by batch. */
export async function evaluateDue(context: EvaluatorContext, signal: AbortSignal): Promise<Round> {
  const { session, tables } = context
  let round: Round = { written: 0, events: 0 }
  while (!signal.aborted) {
    const read = await session.run((query) => readDue(query, tables))
    const { isLive, now } = read.position
    const isNoted = read.rows.length > 0 && read.rows.length < BATCH // with what is written: one commit less
    const { written, events } = await write(context, read, { followedAt: isNoted && isLive ? now : null })
    round = { written: round.written + written, events: round.events + events }
    if (read.rows.length === BATCH && written > 0) continue
    if (isLive && !isNoted) await session.run((query) => noteFollowed(query, tables, now))
    return round
  }
  return round
}

/** Evaluates requests after a look at the mempool. */
export async function evaluateLooks(
  context: EvaluatorContext,
  looks: ReadonlyMap<string, RequestLook>,
): Promise<Round> {
  const ids = [...looks.keys()]
  let round: Round = { written: 0, events: 0 }
  for (let from = 0; from < ids.length; from += BATCH) {
    const chunk = ids.slice(from, from + BATCH)
    const read = await context.session.run((query) => readByIds(query, context.tables, chunk))
    const { written, events } = await write(context, read, { looks })
    round = { written: round.written + written, events: round.events + events }
  }
  return round
}

interface WriteOptions {
  readonly looks?: ReadonlyMap<string, RequestLook>
  /** Where these are all rows up to a time, in Unix ms. */
  readonly followedAt?: number | null
}

async function write(
  { session, tables, hasWebhook }: EvaluatorContext,
  { rows, position }: ReadRequests,
  { looks, followedAt = null }: WriteOptions,
): Promise<Round> {
  const evaluated = rows.map((request) => ({
    request,
    evaluation: evaluate(request, position, looks?.get(request.id)),
  }))
  const written = await session.run((query) => writeEvaluations(query, tables, evaluated, hasWebhook, followedAt))
  const events = evaluated.filter(({ request, evaluation }) => written.has(request.id) && evaluation.type !== null)
  return { written: written.size, events: events.length }
}

/** A request and what it was evaluated to. */
interface Evaluated {
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
