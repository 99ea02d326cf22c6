import { quote, type Query, textOf, type SqlSession } from '../../sql/session.js'
import { readRequests, type PaymentTables, type ReadRequests, ms } from './request-rows.js'
import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import type { PaymentRequestStatus } from '../../streams/requests/state.js'
import { checkRequestId } from './check-settings.js'
import {
  type PaymentListOptions,
  type PaymentEvent,
  type PaymentEventType,
  parseState,
  type PaymentStateJson,
} from './payment.js'
import { firstValueFrom, merge, type Observable } from 'rxjs'
import { abort$ } from '../../loading/abortable.js'

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

const STATUSES: readonly string[] = [
  'waiting',
  'seen',
  'partly-paid',
  'paid',
  'confirmed',
  'expired',
] satisfies PaymentRequestStatus[]

interface CheckedList {
  readonly status: string | undefined
  readonly after: string | undefined
  readonly limit: number
}

/** Throws `ChainError` (`invalid-argument`). */
export function checkList(options: PaymentListOptions): CheckedList {
  refuseUnknown(options, ['status', 'after', 'limit'] satisfies (keyof PaymentListOptions)[])
  const { status, after, limit = 100 } = options
  if (status !== undefined && !STATUSES.includes(status))
    throw invalidArgument('status', `There is no status "${status}"`, `One of ${STATUSES.join(', ')}.`)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw invalidArgument('limit', '"limit" is no whole number from 1 to 1000')
  return { status, after: after === undefined ? undefined : checkRequestId(after), limit }
}

/** A page of requests by the status of their last evaluation, the newest one first. */
export async function readList(query: Query, tables: PaymentTables, list: CheckedList): Promise<ReadRequests> {
  const s = quote(tables.schema)
  const ids = `select id from ${s}.payment_request as l where network = $1
      and ($2::text = '' or status = $2)
      and ($3::text = '' or (created_at, id) < (select a.created_at, a.id from ${s}.payment_request as a
        where a.network = $1 and a.id = $3))
    order by l.created_at desc, l.id desc limit $4::text::bigint`
  const values = [list.status ?? '', list.after ?? '', String(list.limit)]
  const { rows, position } = await readRequests(query, tables, ids, values)
  return { rows: [...rows].sort(newestFirst), position }
}

const newestFirst = (a: ReadRequests['rows'][number], b: ReadRequests['rows'][number]): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)

/** Events that are read at a time. */
const PAGE = 100

/** The events after a number, in their order, then each further one; ends with the signal. */
export async function* readEvents(
  runner: Pick<SqlSession, 'run'>,
  tables: PaymentTables,
  changes$: Observable<void>,
  { after, signal }: { readonly after: bigint; readonly signal: AbortSignal | undefined },
): AsyncGenerator<PaymentEvent, undefined, undefined> {
  let last = after
  while (signal?.aborted !== true) {
    const changed = firstValueFrom(merge(changes$, abort$(signal)), { defaultValue: undefined })
    const events = await runner.run((query) => readPage(query, tables, last))
    for (const event of events) {
      yield event
      last = event.sequence
    }
    if (events.length === 0) await changed
  }
}

async function readPage(
  query: Query,
  { schema, network }: PaymentTables,
  after: bigint,
): Promise<readonly PaymentEvent[]> {
  const rows = await query(
    `select sequence::text as sequence, request_id as id, version::text as version, type, state::text as state, ${ms('at')}::text as at
      from ${quote(schema)}.payment_event as e
      where network = $1 and e.sequence > $2::text::bigint order by e.sequence limit ${PAGE}`,
    [network, String(after)],
  )
  return rows.map((row) => ({
    sequence: BigInt(textOf(row, 'sequence')),
    id: textOf(row, 'id'),
    version: Number(textOf(row, 'version')),
    type: textOf(row, 'type') as PaymentEventType, // written by `writeEvaluations`
    state: parseState(JSON.parse(textOf(row, 'state')) as PaymentStateJson), // written by `toStateJson`
    at: Number(textOf(row, 'at')),
  }))
}
