import { Observable } from 'rxjs'
import { nextTask } from './next-task.js'

/** Work in steps of some ms each: a pause between two of them keeps a page responsive. */
export type Steps<Result> = Generator<undefined, Result>

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/**
 * Does the steps, each in its own task, and emits the result: at once where the first step is the only one. Errors with what
 * a step throws. Cold, for one subscription; unsubscribing ends the work after the current step.
 */
export const inSteps$ = <Result>(steps: Steps<Result>): Observable<Result> =>
  new Observable((subscriber) => {
    const run = (): void => {
      if (subscriber.closed) return
      try {
        const step = steps.next()
        if (step.done !== true) void nextTask().then(run)
        else {
          subscriber.next(step.value)
          subscriber.complete()
        }
      } catch (error) {
        subscriber.error(error)
      }
    }
    run()
  })
