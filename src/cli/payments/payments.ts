import { toPrometheus } from '../../engine/recorder/to-prometheus.js'
import { ChainError } from '../../errors/chain-error.js'
import { createFeed } from '../../feed/create-feed.js'
import { createPayments, type Payments } from '../../feed/payments/create-payments.js'
import { paymentsToPrometheus } from '../../feed/payments/metrics.js'
import { monotonicScheduler } from '../../platform/schedulers.js'
import type { ChainLogger } from '../../platform/port.js'
import { followReports } from '../feed/feed-report.js'
import { openEngine, toSignal } from '../feed/feed.js'
import { onceAMinute } from '../feed/once-a-minute.js'
import { serveStatus } from '../feed/status-server.js'
import { runService } from '../run-service.js'
import type { RunSubcommand } from '../subcommands.js'
import { formatHelp, readFlags, type PaymentFlags } from './flags.js'
import { openDatabase, type OpenedDatabase } from './open-database.js'
import { serveRequests } from './request-server.js'

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
