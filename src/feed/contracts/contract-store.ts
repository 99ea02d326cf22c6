import type { ContractRow } from '../../model/contracts/rows.js'
import { tipScoreOf } from '../../model/chain-cursor/cursor.js'
import { quote, textOf, type Query, type SqlDatabase, arrayText } from '../../sql/session.js'
import type { ChainRollback } from '../../streams/chain/batch.js'
import type { ContractBatch } from '../../streams/contracts/follow-contracts.js'
import { takenOver } from '../sink.js'
import { COLUMNS, fromColumns, toJson, type Programs, CONTRACT_MIGRATIONS } from './output-rows.js'
import type { Observable } from 'rxjs'
import { migrate } from '../../sql/migrate.js'

/** Where the outputs of some covenants are stored. */
export interface ContractTables {
  readonly schema: string
  readonly network: string
  readonly programs: Programs
}

/** What an earlier process has stored. */
export interface StoredContracts {
  readonly cursor: string
  readonly covenants: readonly string[]
  /** The covenants of which outputs are not known: what lies before the first cursor is not read later. */
  readonly incomplete: readonly string[]
  /** What is unspent, or may be undone. */
  readonly rows: readonly ContractRow[]
}

/** Nodes of all networks accept no chain that leaves theirs below this, in blue score. */
const FINALITY_DEPTH = 432_000

const NAMES = Object.keys(COLUMNS)

/** Undefined before the first batch. */
async function readStored(query: Query, tables: ContractTables): Promise<StoredContracts | undefined> {
  const s = quote(tables.schema)
  const [stored] = await query(
    `select value, array_to_string(covenants, ',') as covenants, array_to_string(incomplete, ',') as incomplete
      from ${s}.cursor where network = $1`,
    [tables.network],
  )
  if (stored === undefined) return undefined
  return {
    cursor: textOf(stored, 'value'),
    covenants: idsOf(textOf(stored, 'covenants')),
    incomplete: idsOf(textOf(stored, 'incomplete')),
    rows: await readRows(query, tables),
  }
}

/** The outputs that are unspent, or whose spending may be undone; all of them for a position that is moved back. */
export async function readRows(
  query: Query,
  { schema, network, programs }: ContractTables,
  isWhole = false,
): Promise<readonly ContractRow[]> {
  const s = quote(schema)
  const rows = await query(
    `select ${NAMES.map((name) => `o.${name}::text as ${name}`).join(', ')}
      from ${s}.contract_output as o join ${s}.cursor as c on c.network = o.network
      where o.network = $1
        and (o.spent_by is null or $2::text::boolean or o.spent_blue_score > c.blue_score - ${String(FINALITY_DEPTH)})`,
    [network, String(isWhole)],
  )
  return rows.map((row) => fromColumns(row, programs))
}

const idsOf = (joined: string): readonly string[] => joined.split(',').filter((id) => id !== '')

/**
 * Stores a batch with its cursor, in the transaction of the query. Rejects with `ChainError` (`taken-over`) where the
 * stored cursor is another one than that of the batch before.
 */
async function storeBatch(
  query: Query,
  tables: ContractTables,
  batch: ContractBatch,
  previous: string | undefined,
): Promise<void> {
  await storeCursor(query, tables, batch, previous)
  if (batch.rollback !== null) await undoAbove(query, tables, batch.rollback)
  if (batch.rows.length > 0) await putRows(query, tables, batch.rows)
}

async function storeCursor(
  query: Query,
  { schema, network, programs }: ContractTables,
  { cursor, isLive, incomplete }: ContractBatch,
  previous: string | undefined,
): Promise<void> {
  const values = [
    network,
    cursor,
    String(tipScoreOf(cursor)),
    String(isLive),
    arrayText([...programs.keys()]),
    arrayText(incomplete),
  ]
  const given = '$2, $3::text::bigint, $4::text::boolean, $5::text::text[], $6::text::text[]'
  const text =
    previous === undefined
      ? `insert into ${quote(schema)}.cursor (network, value, blue_score, is_live, covenants, incomplete)
          values ($1, ${given}) on conflict (network) do nothing returning 1`
      : `update ${quote(schema)}.cursor set (value, blue_score, is_live, covenants, incomplete) = (${given}),
          updated_at = now() where network = $1 and value = $7 returning 1`
  const stored = await query(text, previous === undefined ? values : [...values, previous])
  if (stored.length === 0) throw takenOver()
}

/** Deletes what blocks after a block have created, and takes back what they have spent. */
export async function undoAbove(
  query: Query,
  { schema, network }: ContractTables,
  { blueScore, daaScore }: Pick<ChainRollback, 'blueScore' | 'daaScore'>,
): Promise<void> {
  const table = `${quote(schema)}.contract_output`
  const values = [network, String(blueScore)]
  await query(`delete from ${table} where network = $1 and created_blue_score > $2::text::bigint`, values)
  await query(
    `delete from ${table} where network = $1 and created_blue_score is null and block_daa_score > $2::text::bigint`,
    [network, String(daaScore)],
  )
  await query(
    `update ${table} set spent_by = null, spent_block_hash = null, spent_blue_score = null, entry = null, arguments = null
      where network = $1 and spent_blue_score > $2::text::bigint`,
    values,
  )
}

export async function putRows(query: Query, tables: ContractTables, rows: readonly ContractRow[]): Promise<void> {
  const types = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`)
  const changes = NAMES.slice(2).map((name) => `${name} = excluded.${name}`)
  await query(
    `insert into ${quote(tables.schema)}.contract_output (network, ${NAMES.join(', ')})
      select $1::text, r.* from jsonb_to_recordset($2::text::jsonb) as r (${types.join(', ')})
      on conflict (network, outpoint_transaction_id, outpoint_index) do update set ${changes.join(', ')}`,
    [tables.network, toJson(rows, tables.programs)],
  )
}

/** The time in which one instance delivers outputs of contracts, and no other. */
export interface ContractSession {
  /** What an earlier session has delivered; undefined before the first batch. */
  readonly stored: StoredContracts | undefined
  /**
   * Stores a batch with its cursor, or nothing. Rejects with `SessionDropped` where the outcome is unknown, and with
   * `ChainError` (`taken-over`) where another instance has delivered.
   */
  write(batch: ContractBatch): Promise<void>
  /** Positions of batches that change nothing are stored at most this often, in ms. */
  readonly positionInterval: number
  readonly heartbeat$: Observable<'begun' | 'renewed'>
  /** Rejects with `SessionDropped` once the session is lost; never resolves. */
  readonly dropped: Promise<never>
  /** Lets another instance deliver. Never rejects. */
  close(): Promise<void>
}

interface ContractSessionOptions {
  readonly onWait: (what: 'connection' | 'lease') => void
  readonly signal: AbortSignal
}

/** Waits until this instance is the one that delivers. */
export type OpenContractSession = (options: ContractSessionOptions) => Promise<ContractSession>

/** Delivers into tables. */
export const toTables =
  (database: SqlDatabase, tables: ContractTables): OpenContractSession =>
  async (options) => {
    const { schema, network } = tables
    const session = await database.open({ lease: `vue-chain contracts ${schema} ${network}`, ...options })
    try {
      await migrate(session, schema, CONTRACT_MIGRATIONS)
      const stored = await session.run((query) => readStored(query, tables))
      let previous = stored?.cursor
      return {
        stored,
        async write(batch) {
          await session.transaction((query) => storeBatch(query, tables, batch, previous))
          previous = batch.cursor
        },
        positionInterval: 0,
        heartbeat$: session.heartbeat$,
        dropped: session.dropped,
        close: () => session.close(),
      }
    } catch (error) {
      await session.close()
      throw error
    }
  }
