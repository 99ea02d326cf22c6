import { map, merge, take, timer, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs'
import { ChainRestError } from '../../errors/rest-error.js'
import { abort$, LONGEST_TIMER } from '../../loading/abortable.js'
import type { RequestTarget } from './prepared-request.js'

export interface CallLimits {
  /** Ms, including retries and queueing. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** Takes the first value; errors and unsubscribes after `timeout` ms or when the signal aborts. */
export function withDeadline<T>(
  target: RequestTarget,
  { timeout, signal }: CallLimits,
  scheduler?: SchedulerLike,
): MonoTypeOperatorFunction<T> {
  const timedOut$ = timer(Math.min(timeout, LONGEST_TIMER), scheduler).pipe(map(() => raise(timedOut(target, timeout))))
  const aborted$ = abort$(signal).pipe(map((reason) => raise(aborted(target, reason))))
  return (source$) => merge(source$, timedOut$, aborted$).pipe(take(1))
}

const timedOut = (target: RequestTarget, timeout: number): ChainRestError =>
  new ChainRestError({
    ...target,
    code: 'timeout',
    reason: `${timeout} ms have passed`,
    hint: 'Try again, or raise the option `timeout`: some responses take the server a minute.',
  })

/** The caller's signal aborted; `cause` is its reason. */
export const aborted = (target: RequestTarget, cause: unknown): ChainRestError =>
  new ChainRestError({
    ...target,
    code: 'aborted',
    cause,
    reason: 'its signal was aborted',
    hint: 'The signal of the call was aborted.',
  })

export const disposed = (target: RequestTarget, cause: unknown): ChainRestError =>
  new ChainRestError({
    ...target,
    code: 'aborted',
    cause,
    reason: 'the client was disposed',
    hint: 'The client was disposed: create a new one.',
  })

function raise(error: ChainRestError): never {
  throw error
}
