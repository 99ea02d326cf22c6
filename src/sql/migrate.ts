import { ChainError } from '../errors/chain-error.js'
import { quote, type Query, type SqlSession } from './session.js'

/** Creates the tables of a version from those of the version before, in a schema whose name is quoted. */
export interface Migration {
  readonly version: number
  readonly statements: (schema: string) => readonly string[]
}

/** The oldest server whose behaviour is tested. */
const OLDEST_SERVER = 150_000

/** How long, in ms, a statement may take: one that copies a table of many rows takes minutes. */
const TIMEOUT = 6 * 3_600_000

/**
 * Brings a schema to the newest version, in one transaction. Rejects with `ChainError` (`unsupported`) for an older
 * server, and for a schema of a newer release.
 */
export async function migrate(
  session: Pick<SqlSession, 'run' | 'transaction'>,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  await session.run(requireServer)
  const known = migrations.at(-1)?.version ?? 0
  const stored = await session.run((query) => readVersion(query, schema))
  if (stored > known) throw newerSchema(schema, stored, known)
  if (stored === known) return
  await session.transaction(async (query) => {
    // networks share a schema
    await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`vue-chain migrate ${schema}`])
    if (stored === 0) await createSchema(query, schema)
    const current = await readVersion(query, schema)
    for (const { version, statements } of migrations.filter(({ version }) => version > current)) {
      for (const statement of statements(schema)) await query(statement)
      await query(`insert into ${quote(schema)}.migration (version) values ($1::text::integer)`, [String(version)])
    }
  }, TIMEOUT)
}

/** A schema that exists need not be creatable for the user. */
async function createSchema(query: Query, schema: string): Promise<void> {
  const found = await query('select 1 from pg_namespace where nspname = $1', [schema])
  if (found.length === 0) await query(`create schema if not exists ${quote(schema)}`)
  await query(
    `create table if not exists ${quote(schema)}.migration (
      version integer primary key,
      applied_at timestamptz not null default now()
    )`,
  )
}

/** 0 before the first version. */
async function readVersion(query: Query, schema: string): Promise<number> {
  const [table] = await query('select to_regclass($1)::text as name', [`${quote(schema)}.migration`])
  if (typeof table?.name !== 'string') return 0
  const [row] = await query(`select coalesce(max(version), 0)::text as version from ${quote(schema)}.migration`)
  return Number(row?.version)
}

async function requireServer(query: Query): Promise<void> {
  const [row] = await query("select current_setting('server_version_num') as version")
  const version = Number(row?.version)
  if (version >= OLDEST_SERVER) return
  throw new ChainError(`PostgreSQL ${Math.floor(version / 10_000)} is not supported`, {
    code: 'unsupported',
    hint: 'Use PostgreSQL 15 or later.',
  })
}

const newerSchema = (schema: string, stored: number, known: number): ChainError =>
  new ChainError(`The schema "${schema}" has version ${stored}, this release knows ${known}`, {
    code: 'unsupported',
    hint: 'Update vue-chain, or use another schema.',
  })
