import { invalidArgument } from '../errors/chain-error.js'

/** What may work for a queue: `run()` of it, or a feed that has it as `payouts`. */
export type Worker = 'run' | 'feed'

export interface Workers {
  /** Called where one begins; what it returns, where it has ended. Throws `ChainError` while the other one works. */
  begin(worker: Worker): () => void
}

/**
 * What works for the queue of one `createPayouts`: calls of `run()`, or feeds, never both. They would share its status,
 * and the one would wait for the lease of the other without end.
 */
export function createWorkers(): Workers {
  const counts = { run: 0, feed: 0 }
  return {
    begin(worker) {
      const other = worker === 'run' ? 'feed' : 'run'
      if (counts[other] > 0) throw workedFor(other)
      counts[worker]++
      return () => {
        counts[worker]--
      }
    },
  }
}

const workedFor = (worker: Worker): Error =>
  invalidArgument(
    'payouts',
    worker === 'feed' ? 'A feed runs this queue' : 'run() of this queue works',
    'createFeed({ …, payouts }) works for the queue in place of payouts.run(): call one of them, and the other after its end.',
  )
