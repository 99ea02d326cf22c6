import type { PayoutError } from '../errors/payout-error.js'
import { invalidArgument } from '../errors/chain-error.js'

/**
 * `stand-by`: waits for the lease, or for the journal. `running`: works. `stopped`: `run()` has ended, or was not
 * called.
 */
export type QueuePhase = 'stopped' | 'stand-by' | 'running'

/** What an instance does, and how far it has read the chain. */
export interface QueueStatus {
  readonly phase: QueuePhase
  /** The position up to which the chain was read; null before. */
  readonly blueScore: bigint | null
  /** Whether that was the end of the chain. */
  readonly isLive: boolean
  /** Why nothing is signed: `foreign-debit`; null otherwise. */
  readonly problem: PayoutError | null
  /** How often the journal was lost. */
  readonly reconnects: number
}

export const STOPPED: QueueStatus = {
  phase: 'stopped',
  blueScore: null,
  isLive: false,
  problem: null,
  reconnects: 0,
}

export type QueueEvent =
  | { readonly type: 'waiting' | 'opened' | 'dropped' | 'stopped' }
  | { readonly type: 'followed'; readonly blueScore: bigint; readonly isLive: boolean }
  | { readonly type: 'debits-read'; readonly problem: PayoutError | null }

/** The next status; the same object where the event changes nothing. */
export function reduceQueueStatus(status: QueueStatus, event: QueueEvent): QueueStatus {
  switch (event.type) {
    case 'waiting':
      return { ...status, phase: 'stand-by', isLive: false }
    case 'opened':
      return { ...status, phase: 'running' }
    case 'dropped':
      return { ...status, reconnects: status.reconnects + 1 }
    case 'stopped':
      return { ...status, phase: 'stopped', isLive: false }
    case 'followed':
      return status.blueScore === event.blueScore && status.isLive === event.isLive
        ? status
        : { ...status, blueScore: event.blueScore, isLive: event.isLive }
    case 'debits-read':
      return status.problem?.transactionId === event.problem?.transactionId
        ? status
        : { ...status, problem: event.problem }
  }
}

/** What may work for a queue: `run()` of it, or a feed that has it as `payouts`. */
type Worker = 'run' | 'feed'

interface Workers {
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
