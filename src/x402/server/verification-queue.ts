import { nextTask, whenFinished, type Steps } from '../../loading/steps.js'

/** Verifies payments one after the other, in slices of 8 ms, so that a burst of them never blocks the event loop. */
export interface VerificationQueue {
  /** The result of the steps, after those of earlier calls; undefined where too many wait. Rejects as they throw. */
  readonly run: <Result>(steps: Steps<Result>) => Promise<Result | undefined>
}

export function createVerificationQueue(capacity: number): VerificationQueue {
  const waiting = new Set<Steps<void>>()

  /** All that wait, also what is added meanwhile: one slice has many short ones. */
  function* all(): Steps<void> {
    for (const steps of waiting) {
      yield* steps
      waiting.delete(steps) // no pause after the last one: what comes later has a place, and starts a run of its own
      if (waiting.size > 0) yield
    }
  }

  return {
    run<Result>(steps: Steps<Result>): Promise<Result | undefined> {
      if (waiting.size >= capacity) return Promise.resolve(undefined)
      return new Promise((resolve, reject) => {
        waiting.add(settle(steps, resolve, reject))
        if (waiting.size === 1) void nextTask().then(() => whenFinished(all())) // after the other calls of this task
      })
    },
  }
}

function* settle<Result>(
  steps: Steps<Result>,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): Steps<void> {
  try {
    resolve(yield* steps)
  } catch (error) {
    reject(error)
  }
}
