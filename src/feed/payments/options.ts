import type { ChainEngine } from '../../engine/engine.js'
import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import type { ChainLogger } from '../../platform/port.js'
import type { PostgresPool } from '../../sql/pool-database.js'
import type { PgliteClient } from '../../sql/locked-pglite.js'
import type { Account } from '../../streams/accounts/accounts.js'
import { openPglite, openPool, type PaymentDatabase } from './run-payments.js'
import type { RefundPayouts } from './refunds.js'
import { checkWebhook, type CheckedWebhook, type WebhookOptions } from './webhooks/post.js'

/** The parts of an engine that payments use. */
export type PaymentsEngine = Pick<ChainEngine, 'connection' | 'rpc'>

export interface PaymentsBaseOptions {
  /**
   * An engine with `reconnect: { maxRetries: Infinity }`, which is not disposed of. `create` looks new addresses up,
   * and `run()` the mempool; the transfers are those of the feed.
   */
  readonly engine: PaymentsEngine
  /** The schema of the feed's tables. @default 'vue_chain' */
  readonly schema?: string | undefined
  /** Whose receive chain addresses are taken from. @default none: each request brings its address */
  readonly account?: Pick<Account, 'address' | 'network'> | undefined
  /** The first index of the account that may be used: the one after the highest that was used elsewhere. @default 0 */
  readonly startIndex?: number | undefined
  /** Where changes are posted to. @default nowhere */
  readonly webhook?: WebhookOptions | undefined
  /** What pays refunds: a queue of `createPayouts` on the same database. @default none: `refund` is `unsupported` */
  readonly payouts?: RefundPayouts | undefined
  /** How often the mempool is looked at, in ms, from 100. @default 1_000 */
  readonly mempoolInterval?: number | undefined
  /** @default a logger that writes nothing */
  readonly logger?: ChainLogger | undefined
}

export type PaymentsOptions = PaymentsBaseOptions &
  (
    | {
        /** A `Pool` of the package `pg`. `run()` uses two of its connections. */
        readonly pool: PostgresPool
        /**
         * How long, in ms, a silent instance keeps the lease of the mempool: one that was stopped, or cut off.
         * @default 10_000
         */
        readonly leaseTimeout?: number | undefined
        /** How long, in ms, a statement may take before its connection is closed. @default 60_000 */
        readonly statementTimeout?: number | undefined
        readonly database?: undefined
      }
    | {
        /** An instance of `PGlite`, which the feed uses as well; it is not closed. */
        readonly database: PgliteClient
        readonly pool?: undefined
        readonly leaseTimeout?: undefined
        readonly statementTimeout?: undefined
      }
  )

/** The options with their defaults. */
export interface CheckedPayments {
  readonly database: PaymentDatabase
  readonly schema: string
  readonly startIndex: number
  readonly webhook: CheckedWebhook | undefined
  readonly mempoolInterval: number
}

const NAMES: readonly string[] = [
  'engine',
  'schema',
  'account',
  'startIndex',
  'webhook',
  'payouts',
  'mempoolInterval',
  'logger',
  'pool',
  'leaseTimeout',
  'statementTimeout',
  'database',
] satisfies (keyof PaymentsOptions)[]

/** Throws `ChainError` (`invalid-argument`). */
export function checkPaymentsOptions(options: PaymentsOptions): CheckedPayments {
  refuseUnknown(options, NAMES)
  const { schema = 'vue_chain', startIndex = 0, webhook, mempoolInterval = 1_000 } = options
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema))
    throw invalidArgument('schema', `"${schema}" is no name of a schema`, 'Use a-z, 0-9 and _, at most 40.')
  if (!Number.isSafeInteger(startIndex) || startIndex < 0)
    throw invalidArgument('startIndex', '"startIndex" is no whole number from 0')
  return {
    schema,
    startIndex,
    database: openDatabase(options, schema),
    webhook: webhook === undefined ? undefined : checkWebhook(webhook),
    mempoolInterval: checkTime('mempoolInterval', mempoolInterval),
  }
}

function openDatabase(options: PaymentsOptions, schema: string): PaymentDatabase {
  const { pool, database } = options
  if ((pool === undefined) === (database === undefined))
    throw invalidArgument('pool', 'Pass either "pool" or "database"', 'The database of the feed.')
  if (pool === undefined) return openPglite(database, schema)
  const { leaseTimeout = 10_000, statementTimeout = 60_000 } = options
  return openPool(pool, schema, {
    leaseTimeout: checkTime('leaseTimeout', leaseTimeout),
    statementTimeout: checkTime('statementTimeout', statementTimeout),
  })
}

function checkTime(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 100) return value
  throw invalidArgument(name, `"${name}" is no number of milliseconds from 100`)
}
