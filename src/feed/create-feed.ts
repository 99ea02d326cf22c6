import { BehaviorSubject, firstValueFrom, type Observable } from 'rxjs'
import { guarded, silentLogger } from '../engine/logger.js'
import { refuseUnknown } from '../errors/unknown-option.js'
import { deliver } from './deliver.js'
import { checkFeedOptions, type FeedOptions } from './options.js'
import { followWanted } from './requests.js'
import { SessionDropped } from '../errors/session-dropped.js'
import { INITIAL_STATUS, reduceStatus, type FeedEvent, type FeedStatus } from './status.js'
import { createPause } from '../loading/pause.js'

/** Delivers transfers into a sink. */
export interface Feed {
  /**
   * Waits until no other instance delivers, then delivers until the signal aborts, and resolves between two steps. A lost connection to
   * the sink is opened again, without end. Rejects with `ChainError`: `taken-over` where another instance has delivered, `history-gap`,
   * `invalid-argument`, `unsupported`, `package-missing`, `disposed`; with `ChainRpcError` `node-behind`.
   */
  run(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /** Hot; replays the latest status, emits changes, never errors. */
  readonly status$: Observable<FeedStatus>
}

/** Creates a feed, which does nothing before `run()`. Throws `ChainError` (`invalid-argument`). */
export function createFeed(options: FeedOptions): Feed {
  checkFeedOptions(options)
  const { engine, sink, watch } = options
  const logger = guarded(options.logger ?? silentLogger)
  let { rewindTo } = options
  const status$ = new BehaviorSubject(INITIAL_STATUS)
  const emit = (event: FeedEvent): void => {
    const next = reduceStatus(status$.value, event)
    if (next !== status$.value) status$.next(next)
  }

  async function run(settings: { readonly signal?: AbortSignal | undefined } = {}) {
    refuseUnknown(settings, ['signal'])
    const { signal = new AbortController().signal } = settings
    const wanted = watch === 'table' ? undefined : followWanted(watch)
    const pause = createPause(signal)
    try {
      const { network } = await firstValueFrom(engine.connection.state$)
      const isEnded = (): boolean => signal.aborted
      while (!isEnded()) {
        emit({ type: 'waiting' })
        try {
          const session = await sink.open({ network, watch: wanted === undefined ? 'table' : 'given', signal })
          logger.info('Delivering', { network, isResumed: session.cursor !== null, watched: session.watched.length })
          const report = (event: FeedEvent): void => {
            if (event.type === 'stored') {
              pause.reset()
              rewindTo = undefined // once
            }
            emit(event)
          }
          await deliver(session, { ...options, network, signal, wanted, emit: report, logger, rewindTo })
        } catch (error) {
          if (isEnded()) return
          if (!(error instanceof SessionDropped)) throw error
          logger.warn('The connection to the sink was lost', { error })
          emit({ type: 'lost' })
          await pause.wait()
        }
      }
    } finally {
      wanted?.end()
      emit({ type: 'stopped' })
    }
  }

  return { run, status$: status$.asObservable() }
}
