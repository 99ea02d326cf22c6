import { invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import type { DefinedToken } from '../../model/tokens/define-token.js'
import { quote } from '../../sql/quote.js'
import { textOf, type Query } from '../../sql/session.js'
import { arrayText, runStatement } from '../../sql/statement.js'
import type { ChainRollback } from '../../streams/chain/batch.js'
import { putRows, readRows, undoAbove, type ContractTables } from '../contracts/contract-store.js'
import { tokenChannel } from './schema.js'
import type { StoredTokens, TokenStep } from './token-step.js'
import { addMovements, undoMovements } from './token-rows.js'

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
