import { createChainEngine, type ChainEngine } from '../../engine/engine.js'
import { createRecorder } from '../../engine/recorder/create-recorder.js'
import { toPrometheus } from '../../engine/recorder/to-prometheus.js'
import { createFeed, type Feed } from '../../feed/create-feed.js'
import { monotonicScheduler } from '../../platform/schedulers.js'
import type { ChainLogger } from '../../platform/port.js'
import { runService, onceAMinute } from '../run-service.js'
import type { RunSubcommand } from '../run-cli.js'
import { type Delivery, openContracts, readTokens } from './open-contracts.js'
import { followReports, INITIAL_REPORT, type FeedReport, type FeedReports, serveStatus } from './status-server.js'
import { formatHelp, readFlags, type FeedFlags } from './flags.js'
import { openWatch } from './open-watch.js'
import { loadPackage } from '../../loading/load-code.js'
import { createPgliteSink, createPostgresSink } from '../../feed/postgres/create-postgres-sink.js'
import { openPool } from '../../sql/open-pool.js'
import { POSTGRES } from '../service-flags.js'
import { openNats, type NatsFlags, type OpenedSink } from './open-nats.js'
import type { WatchedBucket } from './watched-bucket.js'

/** Runs `vue-chain feed`. */
export const runFeed: RunSubcommand = (args, context) =>
  runService({ name: 'feed', readFlags, formatHelp, run: deliverUntil }, args, context)

async function deliverUntil(interrupted: () => Promise<void>, flags: FeedFlags, logger: ChainLogger): Promise<void> {
  if (flags.contracts !== undefined)
    return deliver(await openContracts(flags.contracts, flags, logger), interrupted, flags, logger)
  const tokens = flags.token === undefined ? undefined : await readTokens(flags.token)
  const watched = await openWatch(flags, logger)
  try {
    const opened = await openSink(flags, logger, watched.bucket)
    const create = (engine: ChainEngine): Feed =>
      createFeed({
        engine,
        sink: opened.sink,
        logger: onceAMinute(logger),
        watch: watched.watch,
        replace: flags.replace,
        onGap: flags.onGap,
        nodeBehindTimeout: flags.nodeBehindTimeout,
        minConfirmations: flags.confirmations,
        from: flags.from,
        rewindTo: flags.rewindTo,
        tokens,
      })
    const { leaseTimeout = null } = opened.sink
    const close = (): Promise<void> => opened.close()
    await deliver({ createFeed: create, leaseTimeout, close }, interrupted, flags, logger)
  } finally {
    watched.end() // its timer would keep the process
  }
}

async function deliver(
  { createFeed: create, leaseTimeout, close }: Delivery,
  interrupted: () => Promise<void>,
  flags: FeedFlags,
  logger: ChainLogger,
): Promise<void> {
  const engine = openEngine(flags, logger)
  try {
    const feed = create(engine)
    const started: { reports?: FeedReports } = {}
    const report = (): FeedReport => started.reports?.current() ?? INITIAL_REPORT
    const server = await serve(flags, report, engine) // before anything is connected
    const reports = followReports(feed, { engine, leaseTimeout }, logger, monotonicScheduler)
    started.reports = reports
    if (server !== undefined) logger.info('Serving /healthz, /readyz and /metrics', { url: server.url })
    try {
      await feed.run({ signal: toSignal(interrupted) })
    } finally {
      reports.end()
      await server?.close()
    }
  } finally {
    await engine.dispose()
    await close()
  }
}

/** An engine that connects without end. */
export const openEngine = ({ network, urls }: Pick<FeedFlags, 'network' | 'urls'>, logger: ChainLogger): ChainEngine =>
  createChainEngine({
    network,
    ...(urls.length === 0 ? {} : { url: urls[0], urls: [...urls.slice(1)] }),
    reconnect: { maxRetries: Infinity },
    recorder: createRecorder({ size: 100 }), // counts the metrics
    logger: onceAMinute(logger),
  })

const serve = async ({ host, port }: FeedFlags, report: () => FeedReport, engine: ChainEngine) =>
  port === 0 ? undefined : serveStatus({ host, port }, report, () => toPrometheus(engine.metrics()))

/** Aborts when the process is interrupted. */
export function toSignal(interrupted: () => Promise<void>): AbortSignal {
  const stopped = new AbortController()
  interrupted().then(
    () => stopped.abort(),
    (error: unknown) => stopped.abort(error),
  )
  return stopped.signal
}

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
