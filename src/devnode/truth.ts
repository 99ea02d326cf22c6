import type { NotificationType } from '../node/messages/records.js'
import type { LiveLedger } from './live-ledger.js'
import type { Truth } from './ledger/ledger.js'

/** How many notifications of each type the node has brought; a type that is missing has brought none. */
export type EventCounts = Readonly<Partial<Record<NotificationType, number>>>

/** What a perfect client would know: one that was there from the beginning, and heard everything. */
export interface DevnodeTruth extends Truth {
  /** What one has heard by now who was subscribed to everything, of all addresses, since the node began. */
  events(): EventCounts
}

/** Listens from now on. */
export function createDevnodeTruth(live: LiveLedger): DevnodeTruth {
  const counts: Partial<Record<NotificationType, number>> = {}
  live.listen((events) => {
    for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1
  })
  return { ...live.ledger.truth, events: () => ({ ...counts }) }
}
