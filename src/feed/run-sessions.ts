import { BehaviorSubject, type SchedulerLike, interval, type Subscription } from 'rxjs'
import { type Pause, createPause } from '../loading/pause.js'
import type { ChainLogger } from '../platform/port.js'
import type { FeedOptions } from './options.js'
import { INITIAL_STATUS, reduceStatus, type FeedEvent, type FeedStatus } from './status.js'
import { redact } from '../errors/redact.js'
import { SessionDropped } from '../errors/payout-error.js'

/** How often lag is measured while no block comes, in ms. */
const INTERVAL = 1_000

/** The status of a feed, and what changes it. */
interface FeedProgress {
  readonly status$: BehaviorSubject<FeedStatus>
  readonly emit: (event: FeedEvent) => void
}

export function createProgress(): FeedProgress {
  const status$ = new BehaviorSubject(INITIAL_STATUS)
  return {
    status$,
    emit(event) {
      const next = reduceStatus(status$.value, event)
      if (next !== status$.value) status$.next(next)
    },
  }
}

interface SessionsOptions extends Pick<FeedOptions, 'engine' | 'minConfirmations'> {
  readonly signal: AbortSignal
  readonly logger: Pick<ChainLogger, 'warn'>
  readonly pause?: Pause | undefined
  readonly scheduler: SchedulerLike
}

/** What a session reports. */
interface SessionReports {
  readonly onWait: (what: 'connection' | 'lease') => void
  /** Called with the blue score up to which nothing is missing. */
  readonly onPosition: (blueScore: bigint | null) => void
}

/** Runs one session with a sink after the other, and shows status and lag. Rejects as `keepRunning`. */
export async function runSessions(
  { status$, emit }: FeedProgress,
  { engine, minConfirmations, scheduler, ...running }: SessionsOptions,
  session: (reports: SessionReports) => Promise<void>,
): Promise<void> {
  let position: bigint | null = null // of the session; between sessions the stored one
  const lag = followLag(
    { engine, minConfirmations, emit },
    () => (status$.value.phase === 'running' ? position : status$.value.blueScore),
    scheduler,
  )
  const onDropped = (reason: string): void => emit({ type: 'lost', reason })
  const onWait = (what: 'connection' | 'lease'): void => emit({ type: 'waiting', what })
  const onPosition = (blueScore: bigint | null): void => void (position = blueScore)
  try {
    await keepRunning({ ...running, peer: 'sink', onDropped }, () => {
      onWait('connection')
      return session({ onWait, onPosition })
    })
  } finally {
    lag.unsubscribe()
    emit({ type: 'stopped' })
  }
}

/**
 * Reports how far a position is behind the sink of the node: with each new sink, and every second of a monotonic clock.
 */
function followLag(
  {
    engine,
    minConfirmations,
    emit,
  }: Pick<FeedOptions, 'engine' | 'minConfirmations'> & { readonly emit: (event: FeedEvent) => void },
  position: () => bigint | null,
  scheduler: SchedulerLike,
): Subscription {
  const meter = new LagMeter(BigInt(minConfirmations))
  const measure = (): void => emit({ type: 'lag-measured', ...meter.measure(position(), scheduler.now()) })
  const subscription = engine.sinkBlueScore$.subscribe((score) => {
    meter.see(score, scheduler.now())
    measure()
  })
  subscription.add(interval(INTERVAL, scheduler).subscribe(measure))
  return subscription
}

interface RunningContext {
  readonly signal: AbortSignal
  readonly logger: Pick<ChainLogger, 'warn'>
  /** What the sessions are with. @default 'database' */
  readonly peer?: 'database' | 'sink' | undefined
  /** Between two sessions. @default one that grows, until a session lasts */
  readonly pause?: Pause | undefined
  /** Called with the words of the driver, without credentials, after a session was lost. */
  readonly onDropped?: ((reason: string) => void) | undefined
}

/** After how many ms a session was no failed attempt. */
const LASTING = 10_000

/**
 * Runs a part that works in one session with a database or another sink, in one after the other, until the signal
 * aborts. Rejects as the part does, but not where its session was lost.
 */
export async function keepRunning<C extends RunningContext>(
  context: C,
  part: (context: C) => Promise<void>,
): Promise<void> {
  const { signal, logger, peer = 'database', pause = createPause(signal), onDropped } = context
  const isEnded = (): boolean => signal.aborted
  while (!isEnded()) {
    const began = Date.now()
    try {
      await part(context)
    } catch (error) {
      if (isEnded()) return
      if (!(error instanceof SessionDropped)) throw error
      logger.warn(`The connection to the ${peer} was lost`, { error })
      onDropped?.(reasonOf(error))
      if (Date.now() - began > LASTING) pause.reset()
      await pause.wait()
    }
  }
}

/** The words of the driver. */
const reasonOf = ({ cause, message }: SessionDropped): string =>
  redact(cause instanceof Error && cause.message !== '' ? cause.message : message)

/** How far a position is behind the sink of the node. */
interface Lag {
  readonly lagBlocks: bigint | null
  readonly lagSeconds: number | null
}

/** A sink's blue score, and when it was seen, in ms of a monotonic clock. */
interface Sample {
  readonly score: bigint
  readonly at: number
}

/** Samples beyond this are thinned to every second one. */
const CAPACITY = 2_000

/**
 * Measures lag by the times at which the node's sink passed the blocks that are not stored yet. The first block that is
 * not stored has waited since the first sample that shows it deep enough.
 */
export class LagMeter {
  #samples: Sample[] = []
  #newest: bigint | undefined

  constructor(private readonly minConfirmations: bigint) {}

  /** Adds the blue score of the node's sink. */
  see(score: bigint, at: number): void {
    this.#newest = score
    if (this.#samples.length >= CAPACITY) this.#samples = this.#samples.filter((_, index) => index % 2 === 0)
    this.#samples.push({ score, at })
  }

  measure(position: bigint | null, now: number): Lag {
    if (position === null || this.#newest === undefined) return { lagBlocks: null, lagSeconds: null }
    const seen = position + this.minConfirmations
    this.#samples = this.#samples.filter(({ score }) => score > seen)
    const [oldest] = this.#samples
    if (this.#newest <= seen || oldest === undefined) return { lagBlocks: 0n, lagSeconds: 0 }
    return { lagBlocks: this.#newest - seen, lagSeconds: Math.max(0, now - oldest.at) / 1_000 }
  }
}
