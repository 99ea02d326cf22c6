import type { PayoutError } from '../errors/payout-error.js'

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
