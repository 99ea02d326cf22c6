import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { defineToken } from '../../model/tokens/define-token.js'
import { feedQueueOf } from '../../streams/payouts/feed-queue.js'
import { checkTime } from '../options.js'
import type { FeedSink, OpenOptions } from '../sink.js'
import { createPgliteFolder, toPgliteFolder, createSharedPglite, type PgliteClient } from '../../sql/locked-pglite.js'
import { createPoolDatabase, type PostgresPool } from '../../sql/pool-database.js'
import { openPostgresSession, type SessionOptions } from './postgres-session.js'
import type { SqlDatabase } from '../../sql/session.js'
import { MARK } from './schema.js'

export interface PostgresSinkOptions {
  /** A `Pool` of the package `pg`. One of its connections is used as long as the feed runs. */
  readonly pool: PostgresPool
  /** The schema of the tables. @default 'vue_chain' */
  readonly schema?: string | undefined
  /**
   * How long, in ms, a silent instance keeps the lease: one that was stopped, or cut off from the database.
   * @default 10_000
   */
  readonly leaseTimeout?: number | undefined
  /** How long, in ms, a statement may take before its connection is closed. @default 60_000 */
  readonly statementTimeout?: number | undefined
  /**
   * How long, in ms, spent credits and their debits are kept, from an hour: older ones are replaced by closing rows,
   * which keep balances and sums. @default for ever
   */
  readonly retain?: number | undefined
}

export interface PgliteSinkOptions {
  /** The folder of the database, which is created. Or an instance of `PGlite`, which is not closed. */
  readonly database: string | PgliteClient
  /** The schema of the tables. @default 'vue_chain' */
  readonly schema?: string | undefined
  /** As that of `createPostgresSink`. @default for ever */
  readonly retain?: number | undefined
}

const POSTGRES_OPTIONS = [
  'pool',
  'schema',
  'leaseTimeout',
  'statementTimeout',
  'retain',
] satisfies (keyof PostgresSinkOptions)[]
const PGLITE_OPTIONS = ['database', 'schema', 'retain'] satisfies (keyof PgliteSinkOptions)[]

/**
 * Delivers into tables of PostgreSQL 15 or later: rows, balances and cursor in one transaction, by one of several
 * instances. Throws `ChainError` (`invalid-argument`).
 */
export function createPostgresSink(options: PostgresSinkOptions): FeedSink {
  refuseUnknown(options, POSTGRES_OPTIONS)
  const { pool, schema, leaseTimeout = 10_000, statementTimeout = 60_000, retain } = options
  const timing = {
    leaseTimeout: checkTime('leaseTimeout', leaseTimeout),
    statementTimeout: checkTime('statementTimeout', statementTimeout),
  }
  return toSink(createPoolDatabase(pool, timing), { schema, retain, leaseTimeout: timing.leaseTimeout, shared: pool })
}

/**
 * Delivers into the same tables of PGlite: PostgreSQL inside this process, from the package `@electric-sql/pglite`. One
 * process may use a folder at a time. Throws `ChainError` (`invalid-argument`).
 */
export function createPgliteSink(options: PgliteSinkOptions): FeedSink {
  refuseUnknown(options, PGLITE_OPTIONS)
  const { database, schema, retain } = options
  if (typeof database !== 'string') return toSink(createSharedPglite(database), { schema, retain, shared: database })
  const folder = toPgliteFolder(database)
  if (folder === undefined)
    throw invalidArgument('database', `"${database}" is no path`, 'Pass a path, or createPostgresSink a pool.')
  return toSink(createPgliteFolder(folder), { schema, retain })
}

interface SinkSettings {
  readonly schema: string | undefined
  readonly retain: number | undefined
  readonly leaseTimeout?: number
  /** What a queue of payouts can share. */
  readonly shared?: object
}

const HOUR = 3_600_000

/** The name is part of a channel, which has 63 bytes. */
function toSink(database: SqlDatabase, { schema = 'vue_chain', retain, leaseTimeout, shared }: SinkSettings): FeedSink {
  if (retain !== undefined && !(Number.isSafeInteger(retain) && retain >= HOUR))
    throw invalidArgument('retain', '"retain" is no number of milliseconds from an hour')
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema))
    throw invalidArgument('schema', `"${schema}" is no name of a schema`, 'Use a-z, 0-9 and _, at most 40.')
  return {
    hasWatchTable: true,
    hasTokenTables: true,
    leaseTimeout,
    database: shared,
    open: async ({ network, watch, payouts, tokens = [], onWait, signal }) => {
      const lease = `vue-chain feed ${schema} ${network}`
      return openPostgresSession(await database.open({ lease, mark: MARK, onWait, signal }), schema, {
        network,
        watch,
        retain,
        tokens: tokens.map(defineToken),
        shared: toShared(payouts, signal),
      })
    },
  }
}

function toShared(payouts: OpenOptions['payouts'], signal: AbortSignal): SessionOptions['shared'] {
  const queue = payouts && feedQueueOf(payouts.queue)
  return queue && { queue, minConfirmations: payouts.minConfirmations, signal }
}
