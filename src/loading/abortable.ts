import { Observable } from 'rxjs'

/**
 * Calls back once the signal aborts, at once where it is aborted already. Returns what ends the wait. Nothing else
 * waits for the event `abort`, which a signal that is aborted never emits again.
 */
export function onAbort(signal: AbortSignal | undefined, callback: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => undefined
  const abort = (): void => callback(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return () => signal.removeEventListener('abort', abort)
}

/** Emits the reason once the signal aborts, and completes. Cold; without a signal it never emits. */
export const abort$ = (signal: AbortSignal | undefined): Observable<unknown> =>
  new Observable((subscriber) =>
    onAbort(signal, (reason) => {
      subscriber.next(reason)
      subscriber.complete()
    }),
  )

/**
 * The result of `work`. Rejects as soon as the signal aborts, whatever `work` does then, by default with the reason.
 * Work does not begin where the signal is aborted already.
 */
export async function abortable<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  toError: (reason: unknown) => Error = (reason) => reason as Error,
): Promise<T> {
  if (signal === undefined) return work()
  if (signal.aborted) throw toError(signal.reason)
  return new Promise<T>((resolve, reject) => {
    const end = onAbort(signal, (reason) => reject(toError(reason)))
    work().finally(end).then(resolve, reject)
  })
}

/** Starts a timer of so many ms; returns what cancels it. */
export type StartTimer = (ms: number, callback: () => void) => () => void

const startTimer: StartTimer = (ms, callback) => {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

/** Resolves after so many ms, or when the signal aborts. */
export const sleep = (ms: number, signal?: AbortSignal, start = startTimer): Promise<void> =>
  new Promise((resolve) => {
    const cancel = start(ms, () => {
      end()
      resolve()
    })
    const end = onAbort(signal, () => {
      cancel()
      resolve()
    })
  })

/** The result of `work`. Rejects after so many ms, whatever `work` does then. */
export async function within<T>(ms: number, work: Promise<T>, toError: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = startTimer(ms, () => reject(toError()))
    work.finally(cancel).then(resolve, reject)
  })
}

/** The longest delay of a timer, in ms: 24 days. A longer one fires at once. */
export const LONGEST_TIMER: number = 2 ** 31 - 1
