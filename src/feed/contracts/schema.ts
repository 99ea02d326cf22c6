import type { Migration } from '../../sql/migrate.js'
import { quote } from '../../sql/quote.js'

const TABLES = (schema: string): readonly string[] => {
  const s = quote(schema)
  return [
    `create table ${s}.cursor (
      network text primary key,
      value text not null,
      blue_score bigint not null,
      is_live boolean not null,
      covenants text[] not null,
      incomplete text[] not null,
      updated_at timestamptz not null default now()
    )`,
    ...OUTPUT_TABLE(s),
  ]
}

/** The table of outputs, in a schema whose name is quoted. */
export const OUTPUT_TABLE = (s: string): readonly string[] => [
  `create table ${s}.contract_output (
      network text not null,
      outpoint_transaction_id text not null,
      outpoint_index bigint not null,
      covenant_id text not null,
      value bigint not null,
      script_version integer not null,
      script text not null,
      redeem_script text,
      state jsonb,
      is_foreign boolean not null,
      is_genesis boolean not null,
      block_daa_score bigint not null,
      created_by text,
      created_block_hash text,
      created_blue_score bigint,
      spent_by text,
      spent_block_hash text,
      spent_blue_score bigint,
      entry text,
      arguments jsonb,
      primary key (network, outpoint_transaction_id, outpoint_index)
    )`,
  `create index contract_output_created on ${s}.contract_output (network, created_blue_score)`,
  `create index contract_output_spent on ${s}.contract_output (network, spent_blue_score)`,
  `create index contract_output_unspent on ${s}.contract_output (network, covenant_id) where spent_by is null`,
]

/** All versions, oldest first. A version that was released is never changed. */
export const CONTRACT_MIGRATIONS: readonly Migration[] = [{ version: 1, statements: TABLES }]
