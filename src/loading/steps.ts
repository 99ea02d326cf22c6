import { Observable, firstValueFrom } from 'rxjs'

/** Work in steps of a few ms each: pauses between them keep a page responsive. */
export type Steps<Result> = Generator<undefined, Result>

/** The longest time without a pause, ms: half a frame. One step may exceed it. */
const SLICE = 8

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/**
 * Does the steps in slices of 8 ms, each in its own task, and emits the result: at once where the first step is the
 * only one. Errors with what a step throws. Cold, for one subscription; unsubscribing ends the work after the current
 * step.
 */
export const inSteps$ = <Result>(
  steps: Steps<Result>,
  now: () => number = () => performance.now(),
): Observable<Result> =>
  new Observable((subscriber) => {
    const run = (): void => {
      const end = now() + SLICE
      try {
        while (!subscriber.closed) {
          const step = steps.next()
          if (step.done === true) {
            subscriber.next(step.value)
            subscriber.complete()
          } else if (now() >= end) {
            void nextTask().then(run)
            return
          }
        }
      } catch (error) {
        subscriber.error(error)
      }
    }
    run()
  })

/** The result of the steps, done in slices as `inSteps$` does them. Rejects with what a step throws. */
export const whenFinished = <Result>(steps: Steps<Result>): Promise<Result> => firstValueFrom(inSteps$(steps))

/** Resolves in a new task. A message has no minimum delay, unlike nested timers in browsers (4 ms). */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
