import type pg from 'pg'
import { loadPackage } from '../loading/load-code.js'

export interface PoolOptions {
  /** A URL of PostgreSQL. */
  readonly url: string
  /** Connections, at most. */
  readonly max: number
  /** How long a silent instance keeps its lease, in ms. */
  readonly leaseTimeout: number
  /** An idle connection has ended, as after a restart of the server. Another one is opened when it is needed. */
  readonly onIdleError: (error: Error) => void
}

/** A pool of the package `pg`. Rejects with `ChainError` (`package-missing`), before anything is connected. */
export async function openPool({ url, max, leaseTimeout, onIdleError }: PoolOptions): Promise<pg.Pool> {
  const { default: driver } = await loadPackage('pg', () => import('pg'))
  const pool = new driver.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: leaseTimeout, // two hours by default
  })
  return pool.on('error', onIdleError)
}
