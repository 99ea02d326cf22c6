import { openPool } from '../../sql/open-pool.js'
import type { PostgresPool } from '../../sql/pool-database.js'
import { createLockedPglite, type PgliteClient } from '../../sql/locked-pglite.js'
import { createPgliteSink, createPostgresSink } from '../../feed/postgres/create-postgres-sink.js'
import type { FeedSink } from '../../feed/sink.js'
import type { ChainLogger } from '../../platform/port.js'
import { POSTGRES } from '../flag-values.js'
import type { PaymentFlags } from './flags.js'

/** A database that feed and payments share. */
export interface OpenedDatabase {
  readonly sink: FeedSink
  readonly access: { readonly pool: PostgresPool } | { readonly database: PgliteClient }
  readonly leaseTimeout: number | null
  close(): Promise<void>
}

/** How long a silent instance keeps its leases, in ms. */
const LEASE_TIMEOUT = 10_000

/** PostgreSQL for a URL, PGlite for a folder. Rejects with `ChainError` (`package-missing`, `failed`). */
export async function openDatabase(
  { database, schema }: Pick<PaymentFlags, 'database' | 'schema'>,
  logger: ChainLogger,
): Promise<OpenedDatabase> {
  if (!POSTGRES.test(database)) {
    const locked = createLockedPglite(database)
    const client = await locked.open()
    return {
      sink: createPgliteSink({ database: client, schema }),
      access: { database: client },
      leaseTimeout: null,
      close: () => locked.close(),
    }
  }
  const onIdleError = (error: Error): void => logger.warn('An idle connection has ended', { error })
  const pool = await openPool({ url: database, max: 10, leaseTimeout: LEASE_TIMEOUT, onIdleError })
  return {
    sink: createPostgresSink({ pool, schema, leaseTimeout: LEASE_TIMEOUT }),
    access: { pool },
    leaseTimeout: LEASE_TIMEOUT,
    close: () => pool.end(),
  }
}
