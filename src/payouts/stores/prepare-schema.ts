import { migrate, type Migration } from '../../sql/migrate.js'
import type { SqlRunner } from './sql-access.js'
import { quote } from '../../sql/session.js'
import { payoutChannel } from './sql-tables.js'

/** Brings a schema to the newest version. Loaded by the first use of a journal: no other one needs its statements. */
export const prepareSchema = (runner: SqlRunner, schema: string): Promise<void> => migrate(runner, schema, MIGRATIONS)

const TABLES = (schema: string): readonly string[] => {
  const s = quote(schema)
  return [
    `create table ${s}.payout (
      network text not null,
      id text not null,
      wallet text not null,
      address text not null,
      amount bigint not null check (amount > 0),
      not_before timestamptz,
      grp text,
      state text not null default 'queued' check (state in
        ('queued', 'waiting', 'signed', 'relayed', 'accepted', 'settled', 'cancelling', 'cancelled', 'conflicting')),
      reason text,
      missing bigint,
      transaction_id text,
      blue_score bigint,
      is_cancelling boolean not null default false,
      version integer not null default 0,
      sequence bigint generated always as identity,
      requested_at timestamptz not null default now(),
      primary key (network, id)
    )`,
    `create index payout_due on ${s}.payout (network, wallet, sequence)
      where grp is null and state in ('queued', 'waiting')`,
    `create index payout_grp on ${s}.payout (network, grp) where grp is not null`,
    `create index payout_state on ${s}.payout (network, wallet, state, sequence)`,
    `create index payout_address on ${s}.payout (network, wallet, address)`,
    `create table ${s}.payout_group (
      network text not null,
      id text not null,
      wallet text not null,
      state text not null check (state in ('open', 'settled', 'excluded')),
      version integer not null default 0,
      bump_rate double precision,
      conflicts jsonb not null default '[]',
      primary key (network, id)
    )`,
    `create index payout_group_open on ${s}.payout_group (network, wallet) where state <> 'settled'`,
    `create table ${s}.payout_attempt (
      network text not null,
      transaction_id text not null,
      grp text not null,
      number integer not null,
      kind text not null check (kind in ('pay', 'bump', 'cancel', 'again')),
      signed jsonb not null,
      fee bigint not null,
      pays jsonb not null,
      accepted_blue_score bigint,
      accepting_block text,
      outcome text check (outcome in ('relayed', 'unknown')),
      last_response text,
      signed_at timestamptz not null default now(),
      primary key (network, transaction_id),
      unique (network, grp, number),
      foreign key (network, grp) references ${s}.payout_group
    )`,
    `create index payout_attempt_accepted on ${s}.payout_attempt (network, accepted_blue_score)
      where accepted_blue_score is not null`,
    `create table ${s}.payout_claim (
      network text not null,
      outpoint text not null,
      grp text not null,
      primary key (network, outpoint),
      foreign key (network, grp) references ${s}.payout_group
    )`,
    `create table ${s}.payout_cursor (
      network text not null,
      wallet text not null,
      value text,
      is_on_hold boolean not null default false,
      updated_at timestamptz not null default now(),
      primary key (network, wallet)
    )`,
    `create table ${s}.payout_debit (
      network text not null,
      wallet text not null,
      transaction_id text not null,
      is_acknowledged boolean not null,
      ids jsonb not null,
      primary key (network, wallet, transaction_id)
    )`,
    `create table ${s}.payout_event (
      sequence bigint generated always as identity primary key,
      network text not null,
      wallet text not null,
      id text not null,
      event jsonb not null,
      at timestamptz not null default now()
    )`,
  ]
}

/** Once per statement. The event of a request is written where its row is, also by the statement of a program. */
const TRIGGERS = (schema: string): readonly string[] => {
  const s = quote(schema)
  const channel = payoutChannel(schema)
  return [
    `create function ${s}.on_payout_request() returns trigger language plpgsql as $$
      begin
        insert into ${s}.payout_event (network, wallet, id, event)
          select network, wallet, id, '{"type":"requested"}' from added order by sequence;
        perform pg_notify('${channel}', '');
        return null;
      end $$`,
    `create function ${s}.on_payout_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('${channel}', '');
        return null;
      end $$`,
    `create trigger on_payout_request after insert on ${s}.payout
      referencing new table as added for each statement execute function ${s}.on_payout_request()`,
    `create trigger on_payout_change after update on ${s}.payout
      for each statement execute function ${s}.on_payout_change()`,
    `create trigger on_group_change after update on ${s}.payout_group
      for each statement execute function ${s}.on_payout_change()`,
    `create trigger on_hold after update on ${s}.payout_cursor
      for each row when (old.is_on_hold <> new.is_on_hold) execute function ${s}.on_payout_change()`,
    `create trigger on_debit after insert or update on ${s}.payout_debit
      for each statement execute function ${s}.on_payout_change()`,
  ]
}

/** With `wallet` it was taken for payouts of a state, or of ids, where PostgreSQL had no statistics. */
const ADDRESSES = (schema: string): readonly string[] => {
  const s = quote(schema)
  return [`drop index ${s}.payout_address`, `create index payout_address on ${s}.payout (network, address)`]
}

const SIGNED_AMOUNTS = (schema: string): readonly string[] => [
  `create table ${quote(schema)}.payout_signed_amount (outpoint text primary key, amount bigint not null)`,
]

/** The tables of `postgresJournal` and `pgliteJournal`. */
const MIGRATIONS: readonly Migration[] = [
  { version: 1, statements: (schema) => [...TABLES(schema), ...TRIGGERS(schema)] },
  { version: 2, statements: ADDRESSES },
  { version: 3, statements: SIGNED_AMOUNTS },
]
