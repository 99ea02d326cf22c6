import { loadPackage } from '../../loading/load-package.js'
import { createPgliteSink, createPostgresSink } from '../../feed/postgres/create-postgres-sink.js'
import type { ChainLogger } from '../../platform/port.js'
import { openPool } from '../../sql/open-pool.js'
import { POSTGRES } from '../flag-values.js'
import type { FeedFlags } from './flags.js'
import { openNats, type NatsFlags, type OpenedSink } from './open-nats.js'
import type { WatchedBucket } from './watched-bucket.js'

type SinkFlags = NatsFlags & Pick<FeedFlags, 'database' | 'schema' | 'retain'>

/**
 * NATS where its servers are given, else PostgreSQL for a URL, PGlite for a folder. Rejects with `ChainError`
 * (`package-missing`), before anything is connected.
 */
export async function openSink(flags: SinkFlags, logger: ChainLogger, bucket?: WatchedBucket): Promise<OpenedSink> {
  const { nats, database, schema, leaseTimeout, statementTimeout, retain } = flags
  if (nats.length > 0) return openNats(flags, bucket)
  if (!POSTGRES.test(database)) {
    await loadPackage('@electric-sql/pglite', () => import('@electric-sql/pglite'))
    return { sink: createPgliteSink({ database, schema, retain }), close: () => Promise.resolve() }
  }
  const onIdleError = (error: Error): void => logger.warn('An idle connection has ended', { error })
  const pool = await openPool({ url: database, max: 2, leaseTimeout, onIdleError })
  return { sink: createPostgresSink({ pool, schema, leaseTimeout, statementTimeout, retain }), close: () => pool.end() }
}
