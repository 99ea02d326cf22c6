import pg from 'pg'
import { createChainEngine } from '../../../../src/engine/engine.js'
import { createPayments } from '../../../../src/feed/payments/create-payments.js'
import { killingPool } from '../../../sql/killing-pool.js'
import type { ShopWorkerSettings } from './workers.js'

/** A process that evaluates, looks at the mempool and delivers, until it kills itself at a statement. */
const settings = JSON.parse(process.env.WORKER ?? '') as ShopWorkerSettings
const { url, port, schema, webhook } = settings

const engine = createChainEngine({ network: 'simnet', url, reconnect: { maxRetries: Infinity } })
void engine.connection.connect().catch(() => undefined) // it is repeated
const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', max: 5 })
await createPayments({
  engine,
  pool: killingPool(pool, settings),
  schema,
  webhook,
  mempoolInterval: 100,
  leaseTimeout: 1_000,
}).run()
