import type { SchedulerLike } from 'rxjs'
import type { ChainLogger, LogLine } from '../../platform/port.js'
import { monotonicScheduler } from '../../platform/schedulers.js'

/** How long a message is not repeated, in ms. */
const INTERVAL = 60_000

/**
 * Writes a message once a minute at most, whatever its fields: attempts fail every few seconds while a database or a
 * node is down. The next line says how many were left out.
 */
export function onceAMinute(
  logger: ChainLogger,
  scheduler: Pick<SchedulerLike, 'now'> = monotonicScheduler,
): ChainLogger {
  const written = new Map<string, { readonly at: number; readonly omitted: number }>()
  const limited =
    (write: LogLine): LogLine =>
    (message, fields) => {
      const now = scheduler.now()
      const last = written.get(message)
      if (last !== undefined && now - last.at < INTERVAL) {
        written.set(message, { at: last.at, omitted: last.omitted + 1 })
        return
      }
      written.set(message, { at: now, omitted: 0 })
      write(message, last === undefined || last.omitted === 0 ? fields : { ...fields, omitted: last.omitted })
    }
  return { debug: logger.debug, info: limited(logger.info), warn: limited(logger.warn), error: limited(logger.error) }
}
