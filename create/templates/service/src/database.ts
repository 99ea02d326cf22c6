import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { createPgliteSink, createPostgresSink, type FeedSink } from 'vue-chain/feed'

type Row = Readonly<Record<string, unknown>>

/** A database: the feed writes to it by its sink, the API reads it by SQL. */
export interface Database {
  readonly sink: FeedSink
  readonly query: (sql: string, values: readonly unknown[]) => Promise<{ readonly rows: readonly Row[] }>
  readonly close: () => Promise<void>
}

/** PostgreSQL 15 or later. */
export function openPostgres(connectionString: string): Database {
  const pool = new pg.Pool({ connectionString })
  pool.on('error', (error) => console.warn(error.message)) // idle connections end when the server restarts
  return {
    sink: createPostgresSink({ pool }),
    query: (sql, values) => pool.query(sql, [...values]),
    close: () => pool.end(),
  }
}

/** PGlite: PostgreSQL inside this process, in a folder or, without one, in memory. */
export async function openPglite(folder?: string): Promise<Database> {
  const pglite = await PGlite.create(folder)
  return {
    sink: createPgliteSink({ database: pglite }),
    query: (sql, values) => pglite.query<Row>(sql, [...values]),
    close: () => pglite.close(),
  }
}
