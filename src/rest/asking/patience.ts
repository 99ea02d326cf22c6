import { EMPTY, fromEvent, map, merge, take, timer, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs'
import { ChainRestError } from '../../errors/rest-error.js'
import type { Asked } from './inquiry.js'

/** How long a caller waits. */
export interface Patience {
  /** Ms; retries and waiting in line are part of it. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** Takes the first value, or gives up: after `timeout` ms, or when the signal says so. The source is let go then. */
export function within<T>(
  asked: Asked,
  { timeout, signal }: Patience,
  scheduler?: SchedulerLike,
): MonoTypeOperatorFunction<T> {
  const tooLate$ = timer(Math.min(timeout, LONGEST_TIMER), scheduler).pipe(map(() => giveUp(timedOut(asked, timeout))))
  const aborted$ =
    signal === undefined ? EMPTY : fromEvent(signal, 'abort').pipe(map(() => giveUp(aborted(asked, signal.reason))))
  return (source$) => merge(source$, tooLate$, aborted$).pipe(take(1))
}

const timedOut = (asked: Asked, timeout: number): ChainRestError =>
  new ChainRestError({
    ...asked,
    code: 'timeout',
    reason: `${timeout} ms have passed`,
    hint: 'Try again, or give it more time: some answers take the server a minute.',
  })

/** The end that the caller's own signal brings; `cause` is the reason it gives. */
export const aborted = (asked: Asked, cause: unknown): ChainRestError =>
  new ChainRestError({ ...asked, code: 'aborted', cause, hint: 'The signal of the call was aborted.' })

/** The end that comes with the client's. */
export const disposed = (asked: Asked, cause: unknown): ChainRestError =>
  new ChainRestError({ ...asked, code: 'aborted', cause, hint: 'The client was disposed of: make a new one.' })

function giveUp(error: ChainRestError): never {
  throw error
}

/** Timers beyond 2^31 ms fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1
