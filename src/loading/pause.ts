import { sleep, type StartTimer } from './abortable.js'

/** Milliseconds between attempts: the first one, and the longest. */
const [SHORTEST, LONGEST] = [100, 5_000]

/** Pauses between attempts, which grow until `reset`. */
export interface Pause {
  /** Resolves after the pause, or when the signal aborts. */
  wait(): Promise<void>
  reset(): void
}

/** With jitter, so that several instances do not return at the same moment. */
export function createPause(signal: AbortSignal, start?: StartTimer): Pause {
  let duration = SHORTEST
  return {
    wait() {
      const jittered = duration * (0.5 + Math.random() / 2)
      duration = Math.min(LONGEST, duration * 2)
      return sleep(jittered, signal, start)
    },
    reset() {
      duration = SHORTEST
    },
  }
}

/**
 * Yields what the source yields, and undefined once where it has yielded nothing for `duration` ms: then is the time
 * for what was put off. Rejects as the source does; ends it where the iteration is left.
 */
export async function* withPauses<T>(
  source: AsyncIterator<T, undefined, undefined>,
  duration: number,
): AsyncGenerator<T | undefined, undefined, undefined> {
  let isDone = false
  try {
    for (;;) {
      const next = source.next()
      if (!(await settlesWithin(next, duration))) yield undefined
      const result = await next
      isDone = result.done === true
      if (result.done === true) return undefined
      yield result.value
    }
  } finally {
    if (!isDone) await source.return?.()
  }
}

/** Whether the promise resolves or rejects within `ms`. */
const settlesWithin = (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    const settle = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    promise.then(settle, settle)
  })
