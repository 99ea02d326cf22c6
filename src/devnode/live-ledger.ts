import type { NodeNotification } from '../node/messages/records.js'
import type { Ledger, Step } from './ledger/ledger.js'

/** Called with the notifications of one ledger step, in the node's order. */
export type StepHandler = (events: readonly NodeNotification[]) => void

/** A ledger with a clock that notifies subscribers of each step. */
export interface LiveLedger {
  readonly ledger: Ledger
  /** Unix milliseconds. */
  now(): number
  /** Applies one step at the current time, notifies the subscribers and returns the step's result. */
  apply<T>(step: (ledger: Ledger, now: number) => Step<T>): T
  /** Calls `handler` for every later step until the returned function is called. */
  subscribe(handler: StepHandler): () => void
}

export function createLiveLedger(ledger: Ledger, now: () => number): LiveLedger {
  const handlers = new Set<StepHandler>()
  return {
    ledger,
    now,
    apply(step) {
      const { result, events } = step(ledger, now())
      for (const handler of handlers) handler(events)
      return result
    },
    subscribe(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
  }
}
