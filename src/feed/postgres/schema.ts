import type { Migration } from '../../sql/migrate.js'
import { quote } from '../../sql/session.js'
import { PAYMENT_TABLES } from '../payments/schema.js'
import { TOKEN_TABLES } from '../tokens/token-tables.js'
import { NARROW_ROWS } from './narrow-rows.js'

/** A setting that marks the statements of the feed: the triggers take all others for requests of programs. */
export const MARK = 'vue_chain.feed'

/** The channel on which changes of `watched_address` are announced, without payload. */
export const watchChannel = (schema: string): string => `${schema}_watched_address`
/** The channel on which new and undone rows of `transfer` are announced, without payload. */
export const transferChannel = (schema: string): string => `${schema}_transfer`

const TABLES = (schema: string): readonly string[] => {
  const s = quote(schema)
  return [
    `create table ${s}.cursor (
      network text primary key,
      value text not null,
      blue_score bigint not null,
      is_live boolean not null,
      updated_at timestamptz not null default now()
    )`,
    `create table ${s}.watched_address (
      network text not null,
      address text not null,
      since text,
      added_at timestamptz not null default now(),
      opened_blue_score bigint,
      error text,
      primary key (network, address)
    )`,
    `create index watched_address_requested on ${s}.watched_address (network, added_at)
      where opened_blue_score is null and error is null`,
    `create index watched_address_opened on ${s}.watched_address (network, opened_blue_score)`,
    `create table ${s}.unwatched_address (
      network text not null,
      address text not null,
      primary key (network, address)
    )`,
    `create table ${s}.transfer (
      network text not null,
      direction text not null check (direction in ('credit', 'debit')),
      outpoint_transaction_id text not null,
      outpoint_index bigint not null,
      address text not null,
      amount bigint not null,
      transaction_id text not null,
      fee bigint,
      accepting_block_hash text,
      accepting_blue_score bigint not null,
      accepting_daa_score bigint not null,
      accepted_at timestamptz,
      is_coinbase boolean not null,
      is_opening boolean not null,
      is_change boolean not null,
      is_internal boolean not null,
      counterparties text[] not null,
      sequence bigint generated always as identity,
      primary key (network, direction, outpoint_transaction_id, outpoint_index)
    )`,
    `create index transfer_blue_score on ${s}.transfer (network, accepting_blue_score)`,
    `create index transfer_address on ${s}.transfer (network, address, sequence)`,
    `create table ${s}.balance (
      network text not null,
      address text not null,
      amount bigint not null,
      primary key (network, address)
    )`,
  ]
}

/**
 * Once per statement: a million inserted addresses are one notification. A deletion leaves a row for the feed to read.
 */
const TRIGGERS = (schema: string): readonly string[] => {
  const s = quote(schema)
  const notify = `perform pg_notify('${watchChannel(schema)}', '')`
  return [
    `create function ${s}.on_watch() returns trigger language plpgsql as $$
      begin
        ${notify};
        return null;
      end $$`,
    `create function ${s}.on_unwatch() returns trigger language plpgsql as $$
      begin
        insert into ${s}.unwatched_address (network, address) select network, address from deleted on conflict do nothing;
        ${notify};
        return null;
      end $$`,
    `create trigger on_watch after insert on ${s}.watched_address
      for each statement execute function ${s}.on_watch()`,
    `create trigger on_unwatch after delete on ${s}.watched_address
      referencing old table as deleted for each statement execute function ${s}.on_unwatch()`,
  ]
}

/**
 * Rows of `watched_address` carry a generation, which each change of a program makes another one: what a pass over the
 * chain has found is for the row that it was begun for. The end of a generation is a row of `ended_watch`, for the feed
 * to read. `unwatched_address` keeps the addresses whose rows remain.
 */
const GENERATIONS = (schema: string): readonly string[] => {
  const s = quote(schema)
  return [
    `create sequence ${s}.generation`,
    `alter table ${s}.watched_address add column generation bigint not null default 0`,
    `drop index ${s}.watched_address_requested`,
    `create index watched_address_requested on ${s}.watched_address (network, (since is null), generation)
      where opened_blue_score is null and error is null`,
    `create index watched_address_since on ${s}.watched_address (network, since)
      where opened_blue_score is null and error is null and since is not null`,
    `create table ${s}.ended_watch (
      network text not null,
      address text not null,
      generation bigint not null,
      primary key (network, address)
    )`,
    `insert into ${s}.ended_watch select network, address, 0 from ${s}.unwatched_address`,
    `alter table ${s}.unwatched_address add column valid_until_blue_score bigint`,
    `delete from ${s}.unwatched_address as u
      where not exists (select from ${s}.transfer as t where t.network = u.network and t.address = u.address)`,
    ...REQUEST_TRIGGERS(schema),
  ]
}

/** Statements of the feed are marked; what a program writes into the columns of the feed begins the row again. */
const REQUEST_TRIGGERS = (schema: string): readonly string[] => {
  const s = quote(schema)
  const isProgram = `current_setting('${MARK}', true) is distinct from 'on'`
  const definer = 'language plpgsql security definer set search_path = pg_catalog, pg_temp'
  const end = (rows: string) => `
    insert into ${s}.ended_watch (network, address, generation) select network, address, generation from ${rows}
      on conflict (network, address) do update set generation = greatest(ended_watch.generation, excluded.generation);
    insert into ${s}.unwatched_address (network, address)
      select network, address from ${rows} where opened_blue_score is not null on conflict do nothing;
    perform pg_notify('${watchChannel(schema)}', '');`
  return [
    `create function ${s}.on_request() returns trigger ${definer} as $$
      begin
        if tg_op = 'UPDATE' then
          if (new.network, new.address, new.since, new.opened_blue_score, new.error)
            is not distinct from (old.network, old.address, old.since, old.opened_blue_score, old.error) then
            new.generation := old.generation;
            return new;
          end if;
          ${end('(select old.*) as ended')}
        end if;
        new.opened_blue_score := null;
        new.error := null;
        new.generation := nextval('${s}.generation');
        return new;
      end $$`,
    `create or replace function ${s}.on_unwatch() returns trigger ${definer} as $$
      begin
        ${end('deleted')}
        return null;
      end $$`,
    `create function ${s}.on_truncate() returns trigger ${definer} as $$
      begin
        ${end(`${s}.watched_address`)}
        return null;
      end $$`,
    `create trigger on_request before insert or update on ${s}.watched_address
      for each row when (${isProgram}) execute function ${s}.on_request()`,
    `drop trigger on_unwatch on ${s}.watched_address`,
    `create trigger on_unwatch after delete on ${s}.watched_address
      referencing old table as deleted for each statement when (${isProgram}) execute function ${s}.on_unwatch()`,
    `create trigger on_truncate before truncate on ${s}.watched_address
      for each statement execute function ${s}.on_truncate()`,
  ]
}

/** Credits and debits of outputs that a covenant binds say which. Rows of earlier releases do not know it. */
const COVENANTS = (schema: string): readonly string[] => [
  `alter table ${quote(schema)}.transfer add column covenant_id text`,
]

/**
 * Numbers of rows come from the cursor's row, which orders all writers of a network: a reader that has read up to a
 * number has missed none below it. They follow the wall clock, so that a restored database does not give out a number
 * again. Rows that are deleted leave a record.
 */
const SEQUENCES = (schema: string): readonly string[] => {
  const s = quote(schema)
  return [
    `alter table ${s}.cursor add column sequence bigint not null default 0`,
    `alter table ${s}.cursor add column pruned_blue_score bigint not null default -1`,
    `alter table ${s}.transfer alter column sequence drop identity`,
    `create table ${s}.transfer_undo (
      network text not null,
      sequence bigint not null,
      transfer_sequence bigint not null,
      direction text not null,
      outpoint_transaction_id text not null,
      outpoint_index bigint not null,
      address text not null,
      amount bigint not null,
      undone_at timestamptz not null default now(),
      primary key (network, sequence)
    )`,
  ]
}

/**
 * A balance is `numeric` where it is stored: nodes that lie can credit more than a `bigint` holds, and what they have
 * added must be stored to be undone. The column of the view stays a `bigint`, so that views of programs on it stay; it
 * shows the largest one for all that is above. The view names no column of the table while its type changes.
 */
const UNBOUNDED_BALANCES = (schema: string): readonly string[] => {
  const s = quote(schema)
  const view = (amount: string): string => `create or replace view ${s}.balance as
    select a.network, a.address, ${amount} as amount, b.address_id
    from ${s}.balance_row as b left join ${s}.address as a on a.id = b.address_id`
  return [
    view('null::bigint'),
    `alter table ${s}.balance_row alter column amount type numeric`,
    view(`least(b.amount, ${2n ** 63n - 1n})::bigint`),
  ]
}

/** All versions, oldest first. A version that was released is never changed. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, statements: (schema) => [...TABLES(schema), ...TRIGGERS(schema)] },
  { version: 2, statements: GENERATIONS },
  { version: 3, statements: COVENANTS },
  { version: 4, statements: SEQUENCES },
  { version: 5, statements: PAYMENT_TABLES },
  { version: 6, statements: NARROW_ROWS },
  { version: 7, statements: TOKEN_TABLES },
  { version: 8, statements: UNBOUNDED_BALANCES },
]
