import type { NotificationType } from '../node/messages/records.js'
import type { LiveLedger } from './live-ledger.js'
import type { Expected } from './ledger/ledger.js'

/** The number of notifications by type; a type without notifications is absent. */
export type EventCounts = Readonly<Partial<Record<NotificationType, number>>>

/** The state of a client that was connected from the start and has received every notification. */
export interface ExpectedState extends Expected {
  /** The notifications since the start to a client that is subscribed to everything, for all addresses. */
  events(): EventCounts
}

/** Counts notifications from now on. */
export function createExpectedState(live: LiveLedger): ExpectedState {
  const counts: Partial<Record<NotificationType, number>> = {}
  live.subscribe((events) => {
    for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1
  })
  return { ...live.ledger.expected, events: () => ({ ...counts }) }
}
