import pg from 'pg'
import { createChainEngine } from '../../../../src/engine/engine.js'
import { createPayments } from '../../../../src/feed/payments/create-payments.js'
import type { PostgresPool } from '../../../../src/sql/pool-database.js'
import type { ShopWorkerSettings } from './workers.js'

/** A process that evaluates, looks at the mempool and delivers, until it kills itself at a statement. */
const { url, port, schema, webhook, killAt, killsAfter } = JSON.parse(process.env.WORKER ?? '') as ShopWorkerSettings

const engine = createChainEngine({ network: 'simnet', url, reconnect: { maxRetries: Infinity } })
void engine.connection.connect().catch(() => undefined) // it is repeated
const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', max: 5 })
pool.on('error', () => undefined) // the server restarts
let statements = 0

/** A pool whose connections end the process before or after a statement. */
const killing: PostgresPool = {
  async connect() {
    const client = await pool.connect()
    const query = async (text: string, values?: unknown[]) => {
      const isLast = ++statements === killAt
      if (isLast && killsAfter !== true) process.kill(process.pid, 'SIGKILL')
      const result = await client.query<Record<string, unknown>>(text, values)
      if (isLast) process.kill(process.pid, 'SIGKILL')
      return result
    }
    return Object.assign(Object.create(client) as pg.PoolClient, { query })
  },
}

await createPayments({ engine, pool: killing, schema, webhook, mempoolInterval: 100, leaseTimeout: 1_000 }).run()
