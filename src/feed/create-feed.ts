import { firstValueFrom, type Observable, type SchedulerLike } from 'rxjs'
import { guarded, silentLogger } from '../engine/resolve-options.js'
import { refuseUnknown } from '../errors/chain-error.js'
import { monotonicScheduler } from '../platform/schedulers.js'
import type { StartTimer } from '../loading/abortable.js'
import { deliver } from './deliver.js'
import { checkFeedOptions, type FeedOptions, checkPayouts, requireQueueNetwork } from './options.js'
import { checkTokens } from './tokens/follow-tokens.js'
import { followWanted } from './requests.js'
import { createProgress, runSessions } from './run-sessions.js'
import type { FeedEvent, FeedStatus } from './status.js'
import { createPause } from '../loading/pause.js'

/** Delivers transfers into a sink. */
export interface Feed {
  /**
   * Waits until no other instance delivers, then delivers until the signal aborts, and resolves between two steps. A
   * lost connection to the sink is opened again, without end. Rejects with `ChainError`: `taken-over` where another
   * instance has delivered, `history-gap`, `invalid-argument`, also while `run()` of `payouts` works, `unsupported`,
   * `package-missing`, `disposed`; with `ChainRpcError` `node-behind`.
   */
  run(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /** Hot; replays the latest status, emits changes, never errors. */
  readonly status$: Observable<FeedStatus>
}

/** Creates a feed, which does nothing before `run()`. Throws `ChainError` (`invalid-argument`). */
export const createFeed = (options: FeedOptions): Feed => createFeedOn(options, monotonicScheduler)

/** `createFeed` by another clock. */
export function createFeedOn(options: FeedOptions, scheduler: SchedulerLike): Feed {
  checkFeedOptions(options)
  const queue = checkPayouts(options)
  const tokens = checkTokens(options)
  const { engine, sink, watch, minConfirmations, payouts } = options
  const logger = guarded(options.logger ?? silentLogger)
  let { rewindTo } = options
  const progress = createProgress()

  async function run(settings: { readonly signal?: AbortSignal | undefined } = {}) {
    refuseUnknown(settings, ['signal'])
    const { signal = new AbortController().signal } = settings
    const releaseQueue = queue?.reserve()
    try {
      await work(signal)
    } finally {
      releaseQueue?.()
    }
  }

  async function work(signal: AbortSignal): Promise<void> {
    const wanted = watch === 'table' ? undefined : followWanted(watch, queue?.addresses)
    const pause = createPause(signal, startTimerOf(scheduler))
    const emit = (event: FeedEvent): void => {
      if (event.type === 'stored') {
        pause.reset()
        rewindTo = undefined // once
      }
      progress.emit(event)
    }
    const sessions = { engine, minConfirmations, signal, logger, pause, scheduler }
    try {
      const { network } = await firstValueFrom(engine.connection.state$)
      requireQueueNetwork(queue, network)
      await runSessions(progress, sessions, async ({ onWait, onPosition }) => {
        const session = await sink.open({
          network,
          watch: wanted === undefined ? 'table' : 'given',
          payouts: payouts && { queue: payouts, minConfirmations },
          tokens: options.tokens?.map(({ snapshot: _, ...definition }) => definition),
          onWait,
          signal,
        })
        logger.info('Delivering', { network, isResumed: session.cursor !== null, watched: session.watched.length })
        await deliver(session, { ...options, tokens, network, signal, wanted, emit, onPosition, logger, rewindTo })
      })
    } finally {
      wanted?.end()
    }
  }

  return { run, status$: progress.status$.asObservable() }
}

const startTimerOf =
  (scheduler: SchedulerLike): StartTimer =>
  (ms, callback) => {
    const subscription = scheduler.schedule(callback, ms)
    return () => subscription.unsubscribe()
  }
