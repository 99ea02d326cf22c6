/** A process that works for a queue on PostgreSQL, and kills itself at a statement: bundled by `workers.ts`. */
import pg from 'pg'
import { createChainEngine } from '../../../src/engine/engine.js'
import { light } from '../../../src/light/index.js'
import { createPayouts } from '../../../src/payouts/create-payouts.js'
import { postgresJournal } from '../../../src/payouts/stores/postgres-journal.js'
import { killingPool } from '../../sql/killing-pool.js'
import { withoutLease } from './without-lease.js'
import type { WorkerSettings } from './workers.js'

const settings = JSON.parse(process.env.WORKER ?? '') as WorkerSettings
const { url, port, schema, address, privateKey, hasLease, confirmations } = settings

const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
const journal = postgresJournal({ pool: killingPool(pool, settings), schema, leaseTimeout: 500 })
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
