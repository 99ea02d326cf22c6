import type { Migration } from '../../sql/migrate.js'
import { quote } from '../../sql/session.js'

const TABLES = (schema: string): readonly string[] => {
  const s = quote(schema)
  return [
    `create table ${s}.x402_payment (
      network text not null,
      transaction_id text not null,
      state text not null check (state in
        ('claimed', 'broadcast', 'accepted', 'serving', 'served', 'recovery-required', 'conflicting', 'rejected')),
      payment jsonb not null,
      version integer not null,
      sequence bigint generated always as identity,
      claimed_at timestamptz not null,
      primary key (network, transaction_id)
    )`,
    `create index x402_payment_open on ${s}.x402_payment (network, sequence) where state <> 'rejected'`,
    `create table ${s}.x402_claim (
      network text not null,
      outpoint text not null,
      transaction_id text not null,
      primary key (network, outpoint),
      foreign key (network, transaction_id) references ${s}.x402_payment on delete cascade
    )`,
    `create index x402_claim_payment on ${s}.x402_claim (network, transaction_id)`,
    `create table ${s}.x402_cursor (
      network text primary key,
      value text not null,
      updated_at timestamptz not null default now()
    )`,
  ]
}

/** The tables of `createPostgresX402Store` and `createPgliteX402Store`. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, statements: TABLES }]
