import { guarded } from '../../engine/resolve-options.js'
import type { ChainLogger, LogLine } from '../../platform/port.js'

/** Writes lines of JSON: time, level, message and fields. `debug` is left out. */
export function createJsonLogger(print: (line: string) => void): ChainLogger {
  const at =
    (level: string): LogLine =>
    (message, fields = {}) =>
      print(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }, toPlain))
  return guarded({ debug: () => undefined, info: at('info'), warn: at('warn'), error: at('error') })
}

/** Bigints as text, errors with their cause. */
function toPlain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (!(value instanceof Error)) return value
  const { name, message, cause } = value
  return {
    name,
    message,
    ...('code' in value ? { code: value.code } : {}),
    ...(cause instanceof Error ? { cause } : {}),
  }
}
