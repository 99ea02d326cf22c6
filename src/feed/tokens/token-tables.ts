import { invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import type { DefinedToken } from '../../model/tokens/define-token.js'
import { quote, textOf, type Query, arrayText, runStatement } from '../../sql/session.js'
import type { ChainRollback } from '../../streams/chain/batch.js'
import { putRows, readRows, undoAbove, type ContractTables } from '../contracts/contract-store.js'
import type { StoredTokens, TokenStep } from '../sink.js'
import { addMovements, undoMovements } from './token-rows.js'
import { OUTPUT_TABLE } from '../contracts/output-rows.js'

/** Where the tokens of a feed are stored, and which they are. */
export interface TokenTables extends ContractTables {
  readonly network: ChainNetwork
  readonly tokens: readonly DefinedToken[]
}

/** Rejects with `ChainError` (`invalid-argument`) for a token whose rows would stay as they are. */
export async function requireTokens(query: Query, { schema, network, programs }: ContractTables): Promise<void> {
  const stored = await readTokens(query, { schema, network })
  const missing = stored.find(({ covenantId }) => !programs.has(covenantId))
  if (missing === undefined) return
  throw invalidArgument(
    'tokens',
    `The schema has the token ${missing.covenantId}, which "tokens" does not name`,
    `Name it, or delete its row of the table token: its rows of the other tables are deleted with it.`,
  )
}

async function readTokens(
  query: Query,
  { schema, network }: Pick<ContractTables, 'schema' | 'network'>,
): Promise<readonly { readonly covenantId: string; readonly isIncomplete: boolean }[]> {
  const text = `select covenant_id, is_incomplete::text as is_incomplete from ${quote(schema)}.token where network = $1`
  const rows = await query(text, [network])
  return rows.map((row) => ({
    covenantId: textOf(row, 'covenant_id'),
    isIncomplete: textOf(row, 'is_incomplete') === 'true',
  }))
}

/** `isWhole`: with outputs that were spent so deep that no reorg undoes it. */
export async function readStoredTokens(query: Query, tables: TokenTables, isWhole: boolean): Promise<StoredTokens> {
  const stored = await readTokens(query, tables)
  return {
    covenants: stored.map(({ covenantId }) => covenantId),
    incomplete: stored.filter(({ isIncomplete }) => isIncomplete).map(({ covenantId }) => covenantId),
    rows: await readRows(query, tables, isWhole),
  }
}

/** Stores what a step changes of tokens, in the transaction of the query. */
export async function storeTokens(
  query: Query,
  tables: TokenTables,
  { rows, incomplete }: TokenStep,
  rollback: ChainRollback | null,
): Promise<void> {
  await putTokens(query, tables, incomplete)
  if (rollback !== null) {
    await undoMovements(query, tables, rollback)
    await undoAbove(query, tables, rollback)
  }
  if (rows.length > 0) {
    await putRows(query, tables, rows)
    await addMovements(query, tables, rows)
  }
  if (rollback !== null || rows.length > 0) await query('select pg_notify($1, $2)', [tokenChannel(tables.schema), ''])
}

/** An update only where something changes: readers of other columns have no reason to wait. */
const putTokens = (
  query: Query,
  { schema, network, tokens }: TokenTables,
  incomplete: readonly string[],
): Promise<unknown> =>
  runStatement(query, (bind) => {
    const of = bind(network)
    const column = (values: readonly (string | null)[], type: string): string =>
      `unnest(${bind(arrayText(values))}::${type}[])`
    return `insert into ${quote(schema)}.token as t (network, covenant_id, template_hash, supply, is_incomplete)
      select ${of}, ${column(
        tokens.map(({ covenantId }) => covenantId),
        'text',
      )}, ${column(
        tokens.map(({ program }) => program.contract.templateHash),
        'text',
      )}, ${column(
        tokens.map(({ supply }) => (supply === 'unknown' ? null : String(supply))),
        'numeric',
      )}, ${column(
        tokens.map(({ covenantId }) => String(incomplete.includes(covenantId))),
        'boolean',
      )}
      on conflict (network, covenant_id) do update set is_incomplete = excluded.is_incomplete
        where t.is_incomplete <> excluded.is_incomplete`
  })

/** The channel on which new and undone rows of `token_transfer` are announced, without payload. */
const tokenChannel = (schema: string): string => `${schema}_token_transfer`

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
