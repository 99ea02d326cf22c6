import { interval, mergeMap, type SchedulerLike } from 'rxjs'
import { ChainError } from '../../../src/errors/chain-error.js'
import { SessionDropped } from '../../../src/errors/payout-error.js'
import type { FeedSession, FeedSink, OpenOptions } from '../../../src/feed/sink.js'
import { RowSink } from './row-sink.js'

/** How a sink fails: `held`, another instance has the lease; `silent`, its session neither responds nor ends. */
export type SinkFault = 'none' | 'full' | 'unreachable' | 'held' | 'silent' | 'wrong'

export const LEASE_TIMEOUT = 10_000

/** Rows in memory, under a lease, which fail as a database or a stream does. */
export class FaultySink implements FeedSink {
  readonly hasWatchTable = false
  readonly leaseTimeout = LEASE_TIMEOUT
  readonly rows = new RowSink()
  fault: SinkFault = 'none'
  /** How many sessions were opened. */
  sessions = 0
  #drop: (error: SessionDropped) => void = () => undefined

  constructor(private readonly scheduler: SchedulerLike) {}

  /** Fails from now on; the session that exists is lost, unless it is silent. */
  fail(fault: SinkFault): void {
    this.fault = fault
    if (fault !== 'silent') this.#drop(new SessionDropped(new Error('read ECONNRESET')))
  }

  async open({ onWait, signal }: OpenOptions): Promise<FeedSession> {
    if (this.fault === 'wrong') throw new ChainError('The stream has other subjects', { code: 'unsupported' })
    if (this.fault === 'unreachable') throw new SessionDropped(new Error('connect ECONNREFUSED'))
    while (this.fault === 'held') {
      signal.throwIfAborted()
      onWait?.('lease')
      await new Promise<void>((resolve) => this.scheduler.schedule(() => resolve(), LEASE_TIMEOUT / 4))
    }
    this.sessions += 1
    const session = await this.rows.open()
    const beats = interval(LEASE_TIMEOUT / 4, this.scheduler)
    return {
      ...session,
      write: (step) =>
        this.fault === 'full'
          ? Promise.reject(new SessionDropped(new Error('could not extend file: No space left on device')))
          : session.write(step),
      heartbeat$: beats.pipe(mergeMap(() => (this.fault === 'silent' ? [] : (['begun', 'renewed'] as const)))),
      dropped: new Promise((_, reject) => (this.#drop = reject)),
    }
  }
}
