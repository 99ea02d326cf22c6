import { ChainError } from '../../errors/chain-error.js'
import { quote } from '../../sql/quote.js'
import type { Query } from '../../sql/session.js'
import { arrayText } from '../../sql/statement.js'
import type {
  AttemptReply,
  AttemptUpdate,
  GroupUpdate,
  JournalChange,
  NewAttempt,
  PayoutUpdate,
} from '../../streams/payouts/journal.js'
import { payoutsByKey, toColumns, toJson } from './rows.js'

/** The rows of a wallet. */
export interface SqlScope {
  readonly schema: string
  readonly network: string
  readonly wallet: string
}

/** Ends a transaction whose change was decided from rows that have changed since. */
export class StaleChange extends ChainError {
  constructor() {
    super('The rows have changed since')
  }
}

/**
 * Writes a change within a transaction. The group comes first, because claims and attempts refer to it; the rows of
 * payouts decide which of two instances signs them, the primary key of claims which of them spends an output. Throws
 * `StaleChange`.
 */
export async function writeChange(query: Query, scope: SqlScope, change: JournalChange): Promise<void> {
  const { payouts = [], groups = [], attempts = [], replies = [], newAttempt, cursor, isOnHold, debits = [] } = change
  if (cursor !== undefined) await writeCursor(query, scope, cursor)
  if (newAttempt !== undefined) await writeAttempt(query, scope, newAttempt)
  if (payouts.length > 0) await updatePayouts(query, scope, payouts)
  if (groups.length > 0) await updateGroups(query, scope, groups)
  if (attempts.length > 0) await updateAttempts(query, scope, attempts)
  if (replies.length > 0) await updateReplies(query, scope, replies)
  if (isOnHold !== undefined) await writeHold(query, scope, isOnHold)
  for (const { transactionId, isAcknowledged, ids } of debits)
    await query(
      `insert into ${quote(scope.schema)}.payout_debit (network, wallet, transaction_id, is_acknowledged, ids)
        values ($1, $2, $3, $4::text::boolean, $5::text::jsonb)
        on conflict (network, wallet, transaction_id) do update set is_acknowledged = excluded.is_acknowledged`,
      [scope.network, scope.wallet, transactionId, String(isAcknowledged), JSON.stringify(ids)],
    )
}

async function writeCursor(
  query: Query,
  { schema, network, wallet }: SqlScope,
  { from, to }: NonNullable<JournalChange['cursor']>,
): Promise<void> {
  const written = await query(
    `insert into ${quote(schema)}.payout_cursor as c (network, wallet, value) values ($1, $2, $3)
      on conflict (network, wallet) do update set value = excluded.value, updated_at = now()
        where c.value is not distinct from $4::text
      returning 1`,
    [network, wallet, to, from],
  )
  if (written.length === 0) throw new StaleChange()
}

async function writeHold(query: Query, { schema, network, wallet }: SqlScope, isOnHold: boolean): Promise<void> {
  await query(
    `insert into ${quote(schema)}.payout_cursor (network, wallet, is_on_hold) values ($1, $2, $3::text::boolean)
      on conflict (network, wallet) do update set is_on_hold = excluded.is_on_hold`,
    [network, wallet, String(isOnHold)],
  )
}

/** Group, claims and attempt in one statement: their references are checked at its end. */
async function writeAttempt(query: Query, scope: SqlScope, { group, attempt, claims }: NewAttempt): Promise<void> {
  const { network, wallet } = scope
  const s = quote(scope.schema)
  const { transactionId, number, kind, signed, fee, pays } = attempt
  const written = query(
    `with created as (
        insert into ${s}.payout_group (network, id, wallet, state) select $1, $2, $9, 'open' where $5 = '0'
          on conflict do nothing returning 1
      ), claimed as (
        insert into ${s}.payout_claim (network, outpoint, grp)
          select $1, outpoint, $2 from unnest($3::text[]) with ordinality as o (outpoint, at) order by o.at
          on conflict do nothing returning 1
      ), stored as (
        insert into ${s}.payout_attempt (network, transaction_id, grp, number, kind, signed, fee, pays)
          values ($1, $4, $2, $5::text::integer, $6, $7::text::jsonb, $8::text::bigint, $10::text::jsonb)
          on conflict do nothing returning 1
      )
      select 1 from created union all select 1 from claimed union all select 1 from stored`,
    [
      ...[network, group],
      [...claims].sort(), // in one order: two instances do not wait for each other
      ...[transactionId, String(number), kind, JSON.stringify(signed), String(fee), wallet, JSON.stringify(pays)],
    ],
  )
  await requireRows(written, claims.length + (number === 0 ? 2 : 1))
}

/** Locks the rows in one order, as the claims; writes those of the version, and the events. */
async function updatePayouts(query: Query, scope: SqlScope, given: readonly PayoutUpdate[]): Promise<void> {
  const { network, wallet } = scope
  const s = quote(scope.schema)
  const updates = [...given].sort((a, b) => (a.id < b.id ? -1 : 1))
  const columns = updates.map(({ progress }) => toColumns(progress))
  const events = updates.flatMap(({ id, events: each }) => each.map((event) => ({ id, event: toJson(event) })))
  const written = query(
    `with locked as materialized (
        select found.id, found.version from ${payoutsByKey(s, { ids: '$3', columns: 'id, version', end: 'for update' })}
      ), written as (
        update ${s}.payout as p set grp = u.grp, state = u.state, reason = u.reason, missing = u.missing::bigint,
            transaction_id = u.transaction_id, blue_score = u.blue_score::bigint,
            is_cancelling = u.is_cancelling::boolean, version = p.version + 1
          from locked, unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
              $10::text[], $11::text[])
            as u (id, version, grp, state, reason, missing, transaction_id, blue_score, is_cancelling)
          where p.network = $1 and p.id = locked.id and u.id = locked.id and locked.version = u.version::integer
          returning 1
      ), noted as (
        insert into ${s}.payout_event (network, wallet, id, event)
          select $1, $2, e.id, e.event::jsonb
          from unnest($12::text[], $13::text[]) with ordinality as e (id, event, at) order by e.at
      )
      select 1 from written`,
    [
      ...[network, wallet],
      updates.map(({ id }) => id),
      arrayText(updates.map(({ version }) => String(version))),
      arrayText(updates.map(({ group }) => group)),
      arrayText(columns.map(({ state }) => state)),
      arrayText(columns.map(({ reason }) => reason)),
      arrayText(columns.map(({ missing }) => missing)),
      arrayText(columns.map(({ transactionId }) => transactionId)),
      arrayText(columns.map(({ blueScore }) => blueScore)),
      arrayText(columns.map(({ isCancelling }) => isCancelling)),
      events.map(({ id }) => id),
      events.map(({ event }) => event),
    ],
  )
  await requireRows(written, updates.length)
}

async function updateGroups(query: Query, scope: SqlScope, groups: readonly GroupUpdate[]): Promise<void> {
  const written = query(
    `update ${quote(scope.schema)}.payout_group as g
      set state = u.state, bump_rate = u.bump_rate::double precision, conflicts = u.conflicts::jsonb, version = g.version + 1
      from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as u (id, version, state, bump_rate, conflicts)
      where g.network = $1 and g.id = u.id and g.version = u.version::integer
      returning 1`,
    [
      scope.network,
      groups.map(({ id }) => id),
      groups.map(({ version }) => String(version)),
      groups.map(({ state }) => state),
      groups.map(({ bumpRate }) => (bumpRate === null ? null : String(bumpRate))),
      groups.map(({ conflicts }) => toJson(conflicts)),
    ],
  )
  await requireRows(written, groups.length)
}

async function updateAttempts(query: Query, scope: SqlScope, attempts: readonly AttemptUpdate[]): Promise<void> {
  const written = query(
    `update ${quote(scope.schema)}.payout_attempt as a
      set accepted_blue_score = u.blue_score::bigint, accepting_block = u.block
      from unnest($2::text[], $3::text[], $4::text[]) as u (id, blue_score, block)
      where a.network = $1 and a.transaction_id = u.id
      returning 1`,
    [
      scope.network,
      attempts.map(({ transactionId }) => transactionId),
      attempts.map(({ acceptedBlueScore }) => (acceptedBlueScore === null ? null : String(acceptedBlueScore))),
      attempts.map(({ acceptingBlock }) => acceptingBlock),
    ],
  )
  await requireRows(written, attempts.length)
}

async function updateReplies(query: Query, scope: SqlScope, replies: readonly AttemptReply[]): Promise<void> {
  const written = query(
    `update ${quote(scope.schema)}.payout_attempt as a set outcome = u.outcome, last_response = u.response
      from unnest($2::text[], $3::text[], $4::text[]) as u (id, outcome, response)
      where a.network = $1 and a.transaction_id = u.id
      returning 1`,
    [
      scope.network,
      replies.map(({ transactionId }) => transactionId),
      replies.map(({ outcome }) => outcome),
      replies.map(({ lastResponse }) => lastResponse),
    ],
  )
  await requireRows(written, replies.length)
}

async function requireRows(rows: Promise<readonly unknown[]>, count: number): Promise<void> {
  if ((await rows).length !== count) throw new StaleChange()
}
