import { abortable } from '../loading/abortable.js'

/** Runs asynchronous work one after the other, in the order of the calls. */
export function createExclusive(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined) // the caller of `work` has the error
    return result
  }
}

/**
 * Gives turns one after the other, in the order of the calls. A call resolves, once the turns before it have ended, to
 * what ends its own; it rejects when its signal aborts before. `onWait` is called where there is a turn before it.
 */
export function createTurns(): (signal: AbortSignal, onWait?: () => void) => Promise<() => void> {
  const exclusive = createExclusive()
  let turns = 0
  return async (signal, onWait) => {
    if (turns++ > 0) onWait?.()
    const turn = new Promise<() => void>((start) => {
      const taken = exclusive(() => new Promise<void>((end) => start(end)))
      void taken.then(() => turns--)
    })
    try {
      return await abortable(signal, () => turn)
    } catch (error) {
      void turn.then((end) => end())
      throw error
    }
  }
}
