import { toPrometheus } from '../../engine/recorder/to-prometheus.js'
import { ChainError } from '../../errors/chain-error.js'
import { createFeed } from '../../feed/create-feed.js'
import { createPayments, type Payments } from '../../feed/payments/create-payments.js'
import { paymentsToPrometheus } from '../../feed/payments/metrics.js'
import { monotonicScheduler } from '../../platform/schedulers.js'
import type { ChainLogger } from '../../platform/port.js'
import { followReports, serveStatus } from '../feed/status-server.js'
import { openEngine, toSignal } from '../feed/feed.js'
import { onceAMinute, runService } from '../run-service.js'
import type { RunSubcommand } from '../run-cli.js'
import { formatHelp, readFlags, type PaymentFlags } from './flags.js'
import { serveRequests } from './request-server.js'
import { openPool } from '../../sql/open-pool.js'
import type { PostgresPool } from '../../sql/pool-database.js'
import { createLockedPglite, type PgliteClient } from '../../sql/locked-pglite.js'
import { createPgliteSink, createPostgresSink } from '../../feed/postgres/create-postgres-sink.js'
import type { FeedSink } from '../../feed/sink.js'
import { POSTGRES } from '../service-flags.js'

/** Runs `vue-chain payments`. */
export const runPayments: RunSubcommand = (args, context) =>
  runService({ name: 'payments', readFlags, formatHelp, run: serve }, args, context)

async function serve(interrupted: () => Promise<void>, flags: PaymentFlags, logger: ChainLogger): Promise<void> {
  const opened = await openDatabase(flags, logger)
  try {
    await serveUntil(interrupted, opened, flags, logger)
  } finally {
    await opened.close()
  }
}

async function serveUntil(
  interrupted: () => Promise<void>,
  opened: OpenedDatabase,
  flags: PaymentFlags,
  logger: ChainLogger,
): Promise<void> {
  const [engine, lookups] = [openEngine(flags, logger), openEngine(flags, logger)] // catching up delays no lookup
  const limited = onceAMinute(logger)
  /** What holds the process, the newest first. */
  const ends: (() => unknown)[] = [() => lookups.dispose(), () => engine.dispose()]
  try {
    const { kpub, startIndex, webhook, schema } = flags
    const account = await engine.accounts.fromExtendedPublicKey(kpub)
    const payments = createPayments({
      ...{ engine: lookups, schema, account, startIndex, logger: limited },
      webhook: webhook === null ? undefined : toWebhook(webhook),
      ...opened.access,
    })
    void lookups.connection.connect().catch(() => undefined) // it is repeated
    const feed = createFeed({ engine, sink: opened.sink, watch: 'table', minConfirmations: 0, logger: limited })
    const reports = followReports(feed, { engine, leaseTimeout: opened.leaseTimeout }, logger, monotonicScheduler)
    ends.unshift(reports.end)
    const { host, statusPort } = flags
    const metrics = async (): Promise<string> => toPrometheus(engine.metrics()) + (await metricsOf(payments))
    const status =
      statusPort === 0 ? undefined : await serveStatus({ host, port: statusPort }, reports.current, metrics)
    ends.unshift(() => status?.close())
    const server = await serveRequests({ ...flags, payments, logger: limited })
    ends.unshift(() => server.close())
    logger.info('Serving /v1/requests', { url: server.url, status: status?.url })
    await runBoth(feed, payments, toSignal(interrupted))
  } finally {
    for (const end of ends) await end()
  }
}

/** Those of the feed are more important than a database that cannot be reached. */
const metricsOf = (payments: Payments): Promise<string> => payments.metrics().then(paymentsToPrometheus, () => '')

/** Ends both where one of them fails. */
async function runBoth(
  feed: { run(options: { readonly signal: AbortSignal }): Promise<void> },
  payments: Payments,
  interrupted: AbortSignal,
): Promise<void> {
  const end = new AbortController()
  const signal = AbortSignal.any([interrupted, end.signal])
  const runs = [feed.run({ signal }), payments.run({ signal })]
  try {
    await Promise.all(runs)
  } finally {
    end.abort()
    await Promise.allSettled(runs)
  }
}

/** `createPayments` refuses more than two secrets. */
function toWebhook({ url, secrets, allowPrivate }: NonNullable<PaymentFlags['webhook']>) {
  const [secret = '', second, ...more] = secrets
  if (more.length > 0)
    throw new ChainError('--webhook-secret has more than two secrets', {
      code: 'invalid-option',
      argument: 'webhook-secret',
      hint: 'See --help.',
    })
  return { url, secret: second === undefined ? secret : ([secret, second] as const), allowPrivate }
}

/** A database that feed and payments share. */
interface OpenedDatabase {
  readonly sink: FeedSink
  readonly access: { readonly pool: PostgresPool } | { readonly database: PgliteClient }
  readonly leaseTimeout: number | null
  close(): Promise<void>
}

/** How long a silent instance keeps its leases, in ms. */
const LEASE_TIMEOUT = 10_000

/** PostgreSQL for a URL, PGlite for a folder. Rejects with `ChainError` (`package-missing`, `failed`). */
async function openDatabase(
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
