import { shown, shownValue } from '../errors/shown.js'
import type { ChainLogger, LogLine } from '../platform/port.js'

const noop = (): void => undefined

/** The default logger: writes nothing. */
export const silentLogger: ChainLogger = { debug: noop, info: noop, warn: noop, error: noop }

/** A logger whose lines have neither credentials nor control characters of a remote party. */
export function guarded(logger: ChainLogger): ChainLogger {
  if (logger === silentLogger) return logger
  const line =
    (level: keyof ChainLogger): LogLine =>
    (message, fields) =>
      // the copy of an object is one
      fields === undefined ? logger[level](shown(message)) : logger[level](shown(message), shownValue(fields) as object)
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}
