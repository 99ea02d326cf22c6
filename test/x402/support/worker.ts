import pg from 'pg'
import { createChainEngine } from '../../../src/engine/engine.js'
import { light } from '../../../src/light/index.js'
import { createKaspaFacilitator } from '../../../src/x402/server/facilitator.js'
import { createPostgresX402Store } from '../../../src/x402/stores/sql-store.js'
import { killingPool, type KillInstant } from '../../sql/killing-pool.js'
import { serveExpress } from './servers.js'

/** What a paid server works for, and when it kills itself. */
export interface PaidServerSettings extends KillInstant {
  /** Of the node. */
  readonly url: string
  /** Of PostgreSQL, whose table `reports` gets a row for each call of the handler. */
  readonly postgres: number
  /** Of the server. */
  readonly port: number
  readonly payTo: string
}

/** A paid server on PostgreSQL, until it kills itself at a statement of its store. */
const settings = JSON.parse(process.env.WORKER ?? '') as PaidServerSettings
const pool = new pg.Pool({ host: '127.0.0.1', port: settings.postgres, user: 'postgres', database: 'postgres' })
const engine = createChainEngine({ network: 'simnet', url: settings.url, sdk: light })
await engine.connection.connect()
const store = createPostgresX402Store({ pool: killingPool(pool, settings) })
const x402 = createKaspaFacilitator({ engine, store, finality: 1, handlerTimeout: 200 })
await serveExpress(x402, {
  ...{ payTo: settings.payTo, port: settings.port },
  async onReport() {
    await pool.query('INSERT INTO reports DEFAULT VALUES')
  },
})
