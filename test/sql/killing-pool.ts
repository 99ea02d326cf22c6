import type pg from 'pg'
import type { PostgresClient, PostgresPool } from '../../src/sql/pool-database.js'
import type { SqlRow } from '../../src/sql/session.js'

/** When a process kills itself. */
export interface KillInstant {
  /** The number of the statement at which the process ends; undefined for none. */
  readonly killAt?: number
  /** Whether the server has executed that statement: its reply is lost. */
  readonly killsAfter?: boolean
}

/** A pool whose connections end this process, by SIGKILL, before or after a statement. */
export function killingPool(pool: pg.Pool, { killAt, killsAfter = false }: KillInstant): PostgresPool {
  pool.on('error', () => undefined) // the server restarts
  let statements = 0
  const die = (): void => void process.kill(process.pid, 'SIGKILL')
  const known = new WeakMap<pg.PoolClient, PostgresClient>()
  const toKilling = (client: pg.PoolClient): PostgresClient => ({
    async query(text, values) {
      const isLast = ++statements === killAt
      if (isLast && !killsAfter) die()
      try {
        return await client.query<SqlRow>(text, values)
      } finally {
        if (isLast) die() // also where the statement is refused: a process that lives would be the last one
      }
    },
    on: client.on.bind(client),
    release: (destroy) => client.release(destroy),
  })
  return {
    async connect() {
      const client = await pool.connect()
      const killing = known.get(client) ?? toKilling(client)
      known.set(client, killing)
      return killing
    },
  }
}
