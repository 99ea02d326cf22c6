/** Mines at a fixed interval. */
export interface Miner {
  start(): void
  /** Pauses until `resume` has been called as often. */
  pause(): void
  resume(): void
  stop(): void
}

/** Calls `mine` every `interval` ms while it is started and not paused; 0: never. */
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
