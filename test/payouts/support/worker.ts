/** A process that works for a queue on PostgreSQL, and kills itself at a statement: bundled by `workers.ts`. */
import pg from 'pg'
import { createChainEngine } from '../../../src/engine/engine.js'
import { light } from '../../../src/light/index.js'
import { createPayouts } from '../../../src/payouts/create-payouts.js'
import { postgresJournal } from '../../../src/payouts/stores/postgres-journal.js'
import type { PostgresClient, PostgresPool } from '../../../src/sql/pool-database.js'
import type { SqlRow } from '../../../src/sql/session.js'
import { withoutLease } from './without-lease.js'
import type { WorkerSettings } from './workers.js'

const settings = JSON.parse(process.env.WORKER ?? '') as WorkerSettings
const { url, port, schema, address, privateKey, hasLease, confirmations, killAt, killsAfter } = settings

const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
pool.on('error', () => undefined)
let left = killAt ?? Infinity
const die = (): void => void process.kill(process.pid, 'SIGKILL')
const mortalClients = new WeakMap<pg.PoolClient, PostgresClient>()
const toMortal = (client: pg.PoolClient): PostgresClient => ({
  async query(text, values) {
    const isLast = --left === 0
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
const mortal: PostgresPool = {
  async connect() {
    const client = await pool.connect()
    const known = mortalClients.get(client) ?? toMortal(client)
    mortalClients.set(client, known)
    return known
  },
}
const journal = postgresJournal({ pool: mortal, schema, leaseTimeout: 500 })
const engine = createChainEngine({ network: 'simnet', url, sdk: light, reconnect: { maxRetries: Infinity } })
const payouts = createPayouts({
  engine,
  journal: hasLease ? journal : withoutLease(journal),
  addresses: [address],
  privateKeys: [privateKey],
  minConfirmations: confirmations,
  submitInterval: 200,
  batch: { maxWait: 0, splitTo: 4 },
})
engine.connection.connect().catch(() => undefined) // it is repeated
await payouts.run()
