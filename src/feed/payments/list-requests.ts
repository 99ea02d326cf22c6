import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { quote } from '../../sql/quote.js'
import type { Query } from '../../sql/session.js'
import type { PaymentRequestStatus } from '../../streams/requests/state.js'
import { checkRequestId } from './check-settings.js'
import type { PaymentListOptions } from './payment.js'
import { readRequests, type PaymentTables, type ReadRequests } from './request-rows.js'

const STATUSES: readonly string[] = [
  'waiting',
  'seen',
  'partly-paid',
  'paid',
  'confirmed',
  'expired',
] satisfies PaymentRequestStatus[]

export interface CheckedList {
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
