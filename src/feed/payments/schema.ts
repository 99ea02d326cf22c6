import { quote } from '../../sql/session.js'

/** The channel on which new payment requests, changes to evaluate and events are announced, without payload. */
export const paymentChannel = (schema: string): string => `${schema}_payment`

/**
 * Requests, their events and deliveries. `payment_due` names the addresses whose rows of `transfer` have changed:
 * triggers write it in the transaction of the feed, so that no change is missed. Its rows are only
 * inserted and deleted, so that the feed never waits for an evaluation.
 */
export const PAYMENT_TABLES = (schema: string): readonly string[] => {
  const s = quote(schema)
  return [
    `create table ${s}.payment_account (
      network text not null,
      account text not null,
      next_index bigint not null,
      primary key (network, account)
    )`,
    `create table ${s}.payment_request (
      network text not null,
      id text not null,
      address text not null,
      account text,
      account_index bigint,
      amount bigint not null check (amount > 0),
      tolerance bigint not null,
      confirmations bigint not null,
      label text,
      message text,
      metadata jsonb,
      created_at timestamptz not null,
      created_daa_score bigint not null,
      expires_at timestamptz not null,
      status text not null default 'waiting',
      version bigint not null default 0,
      state jsonb not null,
      revision bigint not null default 0,
      record jsonb not null,
      has_unaccepted boolean not null default false,
      first_seen_at timestamptz,
      next_blue_score bigint,
      next_at timestamptz,
      is_closed boolean not null default false,
      settled_blue_score bigint,
      primary key (network, id),
      unique (network, address),
      unique (network, account, account_index)
    )`,
    `create index payment_request_blue_score on ${s}.payment_request (network, next_blue_score)
      where next_blue_score is not null`,
    `create index payment_request_at on ${s}.payment_request (network, next_at) where next_at is not null`,
    `create index payment_request_newest on ${s}.payment_request (network, created_at, id)`,
    `create index payment_request_expires on ${s}.payment_request (network, expires_at, id)`,
    `create index payment_request_unaccepted on ${s}.payment_request (network, created_at) where has_unaccepted`,
    `create table ${s}.payment_sequence (
      network text primary key,
      sequence bigint not null,
      followed_at timestamptz,
      looked_at timestamptz
    )`,
    `create table ${s}.payment_event (
      network text not null,
      sequence bigint not null,
      request_id text not null,
      version bigint not null,
      type text not null,
      state jsonb not null,
      at timestamptz not null default clock_timestamp(),
      primary key (network, sequence),
      unique (network, request_id, version)
    )`,
    `create table ${s}.webhook_delivery (
      network text not null,
      request_id text not null,
      version bigint not null,
      attempts bigint not null default 0,
      next_at timestamptz not null default now(),
      delivered_at timestamptz,
      failed_at timestamptz,
      last_error text,
      primary key (network, request_id, version)
    )`,
    `create index webhook_delivery_due on ${s}.webhook_delivery (network, next_at)
      where delivered_at is null and failed_at is null`,
    `create table ${s}.payment_refund (
      network text not null,
      request_id text not null,
      number bigint not null,
      address text not null,
      amount bigint not null check (amount > 0),
      payout_id text not null,
      requested_at timestamptz not null default now(),
      primary key (network, request_id, number)
    )`,
    `create table ${s}.payment_due (
      sequence bigint generated always as identity primary key,
      network text not null,
      address text not null
    )`,
    `create index payment_due_address on ${s}.payment_due (network, address)`,
    ...triggers(s, schema),
  ]
}

/** Once per statement. Addresses without a request cost a look at an index. */
const triggers = (s: string, schema: string): readonly string[] => [
  `create function ${s}.on_transfer() returns trigger language plpgsql as $$
    begin
      insert into ${s}.payment_due (network, address)
        select distinct r.network, r.address from changed as r
          join ${s}.payment_request as p on p.network = r.network and p.address = r.address;
      if found then
        perform pg_notify('${paymentChannel(schema)}', '');
      end if;
      return null;
    end $$`,
  `create trigger on_transfer_stored after insert on ${s}.transfer
    referencing new table as changed for each statement execute function ${s}.on_transfer()`,
  `create trigger on_transfer_undone after delete on ${s}.transfer
    referencing old table as changed for each statement execute function ${s}.on_transfer()`,
]
