import { createChainEngine, type ChainEngine } from '../../engine/engine.js'
import { createRecorder } from '../../engine/recorder/create-recorder.js'
import { toPrometheus } from '../../engine/recorder/to-prometheus.js'
import { ChainError } from '../../errors/chain-error.js'
import { createFeed, type Feed } from '../../feed/create-feed.js'
import { INITIAL_STATUS } from '../../feed/status.js'
import type { ChainLogger } from '../../platform/port.js'
import type { RunSubcommand } from '../subcommands.js'
import { formatHelp, readFlags, type FeedFlags } from './flags.js'
import { createJsonLogger } from './json-logger.js'
import { openSink } from './open-sink.js'
import { serveStatus } from './status-server.js'

/** Runs `vue-chain feed` until SIGINT or SIGTERM; resolves to 0 then, and to 1 for a failure that attempts cannot mend. */
export const runFeed: RunSubcommand = async (args, context) => {
  try {
    const flags = readFlags(args, process.env)
    if (flags === null) {
      context.print(formatHelp())
      return 0
    }
    const logger = createJsonLogger((line) => context.print(line))
    await deliverUntil(() => context.untilInterrupted(), flags, logger)
    return 0
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    context.printError(`vue-chain feed: ${error.message}${error.details === '' ? '' : ` (${error.details})`}.`)
    if (error.hint !== undefined) context.printError(error.hint)
    return 1
  }
}

async function deliverUntil(interrupted: () => Promise<void>, flags: FeedFlags, logger: ChainLogger): Promise<void> {
  const opened = await openSink(flags, logger)
  const engine = openEngine(flags, logger)
  try {
    const feed = createFeed({
      engine,
      sink: opened.sink,
      logger,
      watch: flags.addresses ?? 'table',
      minConfirmations: flags.confirmations,
      from: flags.from,
      rewindTo: flags.rewindTo,
    })
    await runWithStatus(feed, engine, interrupted, flags, logger)
  } finally {
    await engine.dispose()
    await opened.close()
  }
}

const openEngine = ({ network, urls }: FeedFlags, logger: ChainLogger): ChainEngine =>
  createChainEngine({
    network,
    ...(urls.length === 0 ? {} : { url: urls[0], urls: [...urls.slice(1)] }),
    reconnect: { maxRetries: Infinity },
    recorder: createRecorder({ size: 100 }), // counts the metrics
    logger,
  })

async function runWithStatus(
  feed: Feed,
  engine: ChainEngine,
  interrupted: () => Promise<void>,
  { host, port }: FeedFlags,
  logger: ChainLogger,
): Promise<void> {
  const stopped = new AbortController()
  interrupted().then(
    () => stopped.abort(),
    (error: unknown) => stopped.abort(error),
  )
  let status = INITIAL_STATUS
  const subscription = feed.status$.subscribe((next) => {
    if (next.phase !== status.phase)
      logger.info('The phase of the feed has changed', { from: status.phase, to: next.phase })
    status = next
  })
  const server =
    port === 0
      ? undefined
      : await serveStatus(
          { host, port },
          () => status,
          () => toPrometheus(engine.metrics()),
        )
  if (server !== undefined) logger.info('Serving /healthz and /metrics', { url: server.url })
  try {
    await feed.run({ signal: stopped.signal })
  } finally {
    subscription.unsubscribe()
    await server?.close()
  }
}
