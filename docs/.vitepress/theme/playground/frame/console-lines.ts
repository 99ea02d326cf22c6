import type { LineLevel } from '../messages.js'

const MAX_LENGTH = 2_000

/** Reports what the code of this frame writes to the console, throws or rejects. */
export function reportLines(report: (level: LineLevel, text: string) => void): void {
  const levels = { log: 'log', info: 'log', debug: 'log', warn: 'warn', error: 'error' } as const
  for (const [method, level] of Object.entries(levels)) {
    Object.assign(console, { [method]: (...values: unknown[]) => report(level, values.map(toText).join(' ')) })
  }
  addEventListener('error', ({ error, message }) => report('error', toText(error ?? message)))
  addEventListener('unhandledrejection', ({ reason }) => report('error', toText(reason)))
}

/** A value as text, amounts included. */
export function toText(value: unknown): string {
  const isPlain = value instanceof Error || typeof value === 'string'
  const text = isPlain ? String(value) : typeof value === 'bigint' ? `${value}n` : toJson(value)
  return text.slice(0, MAX_LENGTH)
}

function toJson(value: unknown): string {
  try {
    const replacer = (_: string, part: unknown): unknown => (typeof part === 'bigint' ? `${part}n` : part)
    return JSON.stringify(value, replacer, 1) ?? String(value)
  } catch {
    return String(value) // circular
  }
}
