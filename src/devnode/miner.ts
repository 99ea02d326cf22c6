import type { Timers } from './timers.js'

/** Mines at a fixed interval. */
export interface Miner {
  start(): void
  /** Pauses until `resume` has been called as often. */
  pause(): void
  resume(): void
  stop(): void
}

/**
 * Calls `mine` every `interval` ms while it is started and not paused; 0: never. Where mining takes longer than the
 * interval, the blocks that are late are left out.
 */
export function createMiner(interval: number, timers: Timers, mine: () => void): Miner {
  let pauses = 0
  let cancel: (() => void) | undefined
  const mineAt = (due: number): void => {
    cancel = timers.after(Math.max(0, due - timers.now()), () => {
      mineAt(Math.max(due + interval, timers.now()))
      if (pauses === 0) mine()
    })
  }
  return {
    start() {
      if (interval > 0 && cancel === undefined) mineAt(timers.now() + interval)
    },
    pause: () => void (pauses += 1),
    resume: () => void (pauses -= 1),
    stop: () => cancel?.(),
  }
}
