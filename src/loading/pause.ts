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
