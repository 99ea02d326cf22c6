/** A miner that works by the clock. */
export interface Miner {
  start(): void
  /** It rests until `resume` has been called as often. */
  pause(): void
  resume(): void
  stop(): void
}

/** Calls `mine` every `interval` ms while it is started and not paused; never where the interval is 0. */
export function createMiner(interval: number, mine: () => void): Miner {
  let pauses = 0
  let timer: NodeJS.Timeout | undefined
  return {
    start() {
      if (interval > 0) timer ??= setInterval(() => pauses === 0 && mine(), interval)
    },
    pause: () => void (pauses += 1),
    resume: () => void (pauses -= 1),
    stop: () => clearInterval(timer),
  }
}
