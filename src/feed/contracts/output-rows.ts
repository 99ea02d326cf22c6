import type { Contract } from '../../model/contracts/contract.js'
import type { ContractRow, RowCause, RowSpend } from '../../model/contracts/rows.js'
import { textOf, type SqlRow, quote } from '../../sql/session.js'
import type { Migration } from '../../sql/migrate.js'

/** The columns of `contract_output` but the network, with their types. */
export const COLUMNS = {
  outpoint_transaction_id: 'text',
  outpoint_index: 'bigint',
  covenant_id: 'text',
  value: 'bigint',
  script_version: 'integer',
  script: 'text',
  redeem_script: 'text',
  state: 'jsonb',
  is_foreign: 'boolean',
  is_genesis: 'boolean',
  block_daa_score: 'bigint',
  created_by: 'text',
  created_block_hash: 'text',
  created_blue_score: 'bigint',
  spent_by: 'text',
  spent_block_hash: 'text',
  spent_blue_score: 'bigint',
  entry: 'text',
  arguments: 'jsonb',
} as const

/** The programs of followed covenants, by id. */
export type Programs = ReadonlyMap<string, Contract>

/**
 * Rows as JSON for `jsonb_to_recordset`: integers as decimal text. Anyone who calls a contract chooses its texts, and
 * PostgreSQL has no NUL and no half of a surrogate pair: they are replaced by U+FFFD. States are read from scripts.
 */
export const toJson = (rows: readonly ContractRow[], programs: Programs): string =>
  JSON.stringify(
    rows.map((row) => toRecord(row, programs)),
    (_, value: unknown) => {
      if (typeof value === 'bigint') return String(value)
      return typeof value === 'string' ? value.replace(/[\0\p{Surrogate}]/gu, '\ufffd') : value
    },
  )

function toRecord(row: ContractRow, programs: Programs): Readonly<Record<keyof typeof COLUMNS, unknown>> {
  const { covenantId, outpoint, state, createdBy, spentBy } = row
  return {
    outpoint_transaction_id: outpoint.transactionId,
    outpoint_index: outpoint.index,
    covenant_id: covenantId,
    value: row.value,
    script_version: row.scriptPublicKey.version,
    script: row.scriptPublicKey.script,
    redeem_script: state === null ? null : programs.get(covenantId)?.redeemScript(state as never),
    state,
    is_foreign: row.isForeign,
    is_genesis: row.isGenesis,
    block_daa_score: row.blockDaaScore,
    created_by: createdBy?.transactionId ?? null,
    created_block_hash: createdBy?.blockHash ?? null,
    created_blue_score: createdBy?.blueScore ?? null,
    spent_by: spentBy?.transactionId ?? null,
    spent_block_hash: spentBy?.blockHash ?? null,
    spent_blue_score: spentBy?.blueScore ?? null,
    entry: spentBy?.entry ?? null,
    arguments: spentBy?.arguments ?? null,
  }
}

/** A stored row, whose columns were all selected as text. Arguments have their integers as text. */
export function fromColumns(columns: SqlRow, programs: Programs): ContractRow {
  const covenantId = textOf(columns, 'covenant_id')
  const redeemScript = columns.redeem_script
  const state = typeof redeemScript === 'string' ? programs.get(covenantId)?.decodeState(redeemScript) : undefined
  return {
    covenantId,
    outpoint: {
      transactionId: textOf(columns, 'outpoint_transaction_id'),
      index: Number(textOf(columns, 'outpoint_index')),
    },
    value: BigInt(textOf(columns, 'value')),
    scriptPublicKey: { version: Number(textOf(columns, 'script_version')), script: textOf(columns, 'script') },
    state: state ?? null,
    isForeign: columns.is_foreign === 'true',
    isGenesis: columns.is_genesis === 'true',
    blockDaaScore: BigInt(textOf(columns, 'block_daa_score')),
    createdBy: causeOf(columns, 'created'),
    spentBy: spendOf(columns),
  }
}

function causeOf(columns: SqlRow, what: 'created' | 'spent'): RowCause | null {
  if (columns[`${what}_by`] === null) return null
  return {
    transactionId: textOf(columns, `${what}_by`),
    blockHash: textOf(columns, `${what}_block_hash`),
    blueScore: BigInt(textOf(columns, `${what}_blue_score`)),
  }
}

function spendOf(columns: SqlRow): RowSpend | null {
  const cause = causeOf(columns, 'spent')
  if (cause === null) return null
  const { entry, arguments: args } = columns
  return {
    ...cause,
    entry: typeof entry === 'string' ? entry : null,
    arguments: typeof args === 'string' ? (JSON.parse(args) as Readonly<Record<string, unknown>>) : null,
  }
}

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
