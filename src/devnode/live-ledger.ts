import type { NodeNotification } from '../node/messages/records.js'
import type { Ledger, Step } from './ledger/ledger.js'

/** What one step of the network brings, in the node's order. */
export type EventListener = (events: readonly NodeNotification[]) => void

/** A ledger in time: it has a clock, and tells whoever listens what each step brings. */
export interface LiveLedger {
  readonly ledger: Ledger
  /** Unix milliseconds. */
  now(): number
  /** Takes one step at the present time, tells the listeners, and returns the step's result. */
  take<T>(step: (ledger: Ledger, now: number) => Step<T>): T
  /** Hears every step from now on, until the returned function is called. */
  listen(listener: EventListener): () => void
}

export function createLiveLedger(ledger: Ledger, now: () => number): LiveLedger {
  const listeners = new Set<EventListener>()
  return {
    ledger,
    now,
    take(step) {
      const { result, events } = step(ledger, now())
      for (const listener of listeners) listener(events)
      return result
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
