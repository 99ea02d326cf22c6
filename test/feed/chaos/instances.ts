import { startFeed, type FeedProcess } from '../support/feed-process.js'

/** What an instance may end with by itself: it was taken over. */
const EXPECTED_EXIT = 'another instance has delivered in the meantime'

/** Instances of the command, each of which is started again when it ends. */
export interface Instances {
  readonly running: FeedProcess[]
  /** What instances have printed that ended by themselves for another reason than a take-over. */
  readonly failures: readonly string[]
  end(): Promise<void>
}

/** Keeps a number of instances running; `args` is read at each start. */
export function keepRunning(count: number, args: () => readonly string[]): Instances {
  const running = Array.from({ length: count }, () => startFeed(args()))
  const failures: string[] = []
  let isEnding = false
  const restartAfterExit = (index: number): void => {
    const instance = running[index]!
    void instance.exited.then((code) => {
      if (isEnding) return
      if (code !== null && !instance.output().includes(EXPECTED_EXIT)) failures.push(`${code}: ${instance.output()}`)
      running[index] = startFeed(args())
      restartAfterExit(index)
    })
  }
  running.forEach((_, index) => restartAfterExit(index))
  return {
    running,
    failures,
    async end() {
      isEnding = true
      for (const instance of running) instance.signal('SIGKILL')
      await Promise.all(running.map(({ exited }) => exited))
    },
  }
}
