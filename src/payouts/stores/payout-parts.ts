import { arrayText } from '../../sql/session.js'
import type { PayoutUpdate } from '../../streams/payouts/journal.js'
import { payoutsByKey, toColumns, toJson, type ChangePart, type PartScope } from './rows.js'

/** Locks the rows in one order, as the claims; writes those of the version, and the events. */
export function payoutParts(given: readonly PayoutUpdate[], { s, network, wallet, bind }: PartScope): ChangePart[] {
  const updates = [...given].sort((a, b) => (a.id < b.id ? -1 : 1))
  const columns = updates.map(({ progress }) => toColumns(progress))
  const ids = bind(updates.map(({ id }) => id))
  const bindText = (elements: readonly (string | null)[]): string => `${bind(arrayText(elements))}::text[]`
  const values = [
    `${ids}::text[]`,
    bindText(updates.map(({ version }) => String(version))),
    bindText(updates.map(({ group }) => group)),
    bindText(columns.map(({ state }) => state)),
    bindText(columns.map(({ reason }) => reason)),
    bindText(columns.map(({ missing }) => missing)),
    bindText(columns.map(({ transactionId }) => transactionId)),
    bindText(columns.map(({ blueScore }) => blueScore)),
    bindText(columns.map(({ isCancelling }) => isCancelling)),
  ]
  return [
    {
      name: 'locked',
      text: `materialized (select found.id, found.version from
          ${payoutsByKey({ s, network, wallet }, { ids, columns: 'id, version', end: 'for update' })})`,
    },
    {
      name: 'written',
      text: `(update ${s}.payout as p set grp = u.grp, state = u.state, reason = u.reason, missing = u.missing::bigint,
            transaction_id = u.transaction_id, blue_score = u.blue_score::bigint,
            is_cancelling = u.is_cancelling::boolean, version = p.version + 1
          from locked, unnest(${values.join(', ')})
            as u (id, version, grp, state, reason, missing, transaction_id, blue_score, is_cancelling)
          where p.network = ${network} and p.id = locked.id and u.id = locked.id and locked.version = u.version::integer
          returning 1)`,
      rows: updates.length,
    },
    eventPart(updates, ids, { s, network, wallet, bind }),
  ]
}

/** Payouts of a transaction have the same event: its text is sent once. */
function eventPart(updates: readonly PayoutUpdate[], ids: string, { s, network, wallet, bind }: PartScope): ChangePart {
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => numbers.get(text) ?? numbers.set(text, numbers.size + 1).size
  const events = updates.flatMap(({ id, events: each }) =>
    each.map((event) => ({ id, number: numberOf(toJson(event)) })),
  )
  const isOneEach = updates.every((update) => update.events.length === 1)
  const of = isOneEach ? ids : bind(events.map(({ id }) => id))
  const each = bind(arrayText(events.map(({ number }) => String(number))))
  return {
    name: 'noted',
    text: `(insert into ${s}.payout_event (network, wallet, id, event)
        select ${network}, ${wallet}, e.id, (${bind([...numbers.keys()])}::text[])[e.number::integer]::jsonb
          from unnest(${of}::text[], ${each}::text[]) with ordinality as e (id, number, at) order by e.at)`,
  }
}
