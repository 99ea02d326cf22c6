import { createEventLog, type EventLog } from '../../streams/history.js'
import type { CoreParts } from '../core-parts.js'

/** The log of a core's events. It records from its first use on, with or without subscribers. */
export function eventLog(core: CoreParts): EventLog {
  const log = createEventLog(core)
  core.lifetime.add(log.state$.subscribe())
  return log
}
