import { firstValueFrom, merge, type Observable } from 'rxjs'
import { abort$ } from '../../loading/abortable.js'
import { quote } from '../../sql/quote.js'
import { textOf, type Query, type SqlSession } from '../../sql/session.js'
import type { PaymentEvent, PaymentEventType } from './payment.js'
import { ms, type PaymentTables } from './request-rows.js'
import { parseState, type PaymentStateJson } from './state-json.js'

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
