import { quote } from '../../sql/quote.js'
import { OUTPUT_TABLE } from '../contracts/schema.js'

/** The channel on which new and undone rows of `token_transfer` are announced, without payload. */
export const tokenChannel = (schema: string): string => `${schema}_token_transfer`

/**
 * Tokens beside the transfers of KAS: their outputs, which a feed continues from, and what owners have received, spent
 * and have. Amounts of a program that may make more have no bound, hence `numeric` for sums. A row of `token` that is
 * deleted takes everything of the token with it.
 */
export const TOKEN_TABLES = (schema: string): readonly string[] => {
  const s = quote(schema)
  const ofToken = `foreign key (network, covenant_id) references ${s}.token on delete cascade`
  return [
    `create table ${s}.token (
      network text not null,
      covenant_id text not null,
      template_hash text not null,
      supply numeric,
      is_incomplete boolean not null,
      primary key (network, covenant_id)
    )`,
    ...OUTPUT_TABLE(s),
    `alter table ${s}.contract_output add ${ofToken}`,
    `create index contract_output_covenant on ${s}.contract_output (network, covenant_id)`,
    `create table ${s}.token_transfer (
      network text not null,
      direction text not null check (direction in ('in', 'out')),
      outpoint_transaction_id text not null,
      outpoint_index bigint not null,
      covenant_id text not null,
      extension_commitment text not null,
      owner_scheme smallint not null,
      owner text not null,
      address text,
      amount bigint not null,
      value bigint not null,
      transaction_id text not null,
      accepting_block_hash text,
      accepting_blue_score bigint,
      block_daa_score bigint not null,
      primary key (network, direction, outpoint_transaction_id, outpoint_index),
      ${ofToken}
    )`,
    `create index token_transfer_blue_score on ${s}.token_transfer (network, accepting_blue_score)`,
    `create index token_transfer_owner on ${s}.token_transfer (network, covenant_id, owner, accepting_blue_score)`,
    `create index token_transfer_address on ${s}.token_transfer (network, address) where address is not null`,
    `create table ${s}.token_balance (
      network text not null,
      covenant_id text not null,
      extension_commitment text not null,
      owner_scheme smallint not null,
      owner text not null,
      address text,
      amount numeric not null,
      outputs bigint not null,
      locked_kas bigint not null,
      primary key (network, covenant_id, extension_commitment, owner, owner_scheme),
      ${ofToken}
    )`,
    `create index token_balance_address on ${s}.token_balance (network, address) where address is not null`,
  ]
}
