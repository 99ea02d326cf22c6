import type pg from 'pg'
import type { PgliteClient } from '../../../src/sql/locked-pglite.js'
import type { PostgresPool } from '../../../src/sql/pool-database.js'

/** Counts the transactions of a pool: each `begin`, and each statement outside of one but the heartbeat. */
export function countPool(pool: pg.Pool): { readonly pool: PostgresPool; readonly transactions: () => number } {
  let count = 0
  async function connect() {
    const client = await pool.connect()
    let isInside = false
    const query = (text: string, values?: unknown[]) => {
      if (!isInside && text !== 'select 1') count++
      if (/^begin\b/.test(text)) isInside = true
      if (/^(commit|rollback)\b/.test(text)) isInside = false
      return client.query<Record<string, unknown>>(text, values)
    }
    return Object.assign(Object.create(client) as pg.PoolClient, { query })
  }
  return { pool: { connect }, transactions: () => count }
}

/** Counts the transactions of an instance of PGlite. */
export function countPglite(client: PgliteClient): {
  readonly client: PgliteClient
  readonly transactions: () => number
} {
  let count = 0
  const counted: PgliteClient = {
    transaction(work) {
      count++
      return client.transaction(work)
    },
    listen: (channel, callback) => client.listen(channel, callback),
    close: () => client.close(),
  }
  return { client: counted, transactions: () => count }
}
