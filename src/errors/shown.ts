import { redact } from './redact.js'

/** Control characters, line and paragraph separators, and characters that change the direction of text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Levels that are read; a remote body may be nested deeper than a stack. */
const MAX_DEPTH = 6

/** A text as an error, a log or a terminal may show it: without credentials, with control characters escaped. */
export const shown = (text: string): string => escapeControls(redact(text))

/**
 * A value with every text in it as `show` returns it: of plain objects, lists and errors. The same object where nothing
 * changes; of an error otherwise a copy, whose class is `Error`.
 */
export function shownValue(
  value: unknown,
  show: (text: string) => string = shown,
  outer: readonly object[] = [],
): unknown {
  if (typeof value === 'string') return show(value)
  if (typeof value !== 'object' || value === null) return value
  if (outer.includes(value)) return undefined // ends a cycle of causes
  if (outer.length === MAX_DEPTH) return value
  const inner = (item: unknown): unknown => shownValue(item, show, [...outer, value])
  if (value instanceof Error) return shownError(value, show, inner)
  if (Array.isArray(value)) return unlessSame(value, value.map(inner))
  if (!isPlain(value)) return value
  const entries = Object.entries(value)
  const changed = entries.map(([key, item]) => [key, inner(item)] as const)
  return changed.every(([, item], at) => item === entries[at]?.[1]) ? value : Object.fromEntries(changed)
}

const unlessSame = (before: readonly unknown[], after: readonly unknown[]): readonly unknown[] =>
  after.every((item, at) => item === before[at]) ? before : after

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Fields of an error, such as `input` of an invalid URL, are texts that no terminal interprets: only credentials are
 * masked. Its lines stay lines.
 */
function shownError(error: Error, show: (text: string) => string, inner: (item: unknown) => unknown): Error {
  const message = error.message.split('\n').map(show).join('\n')
  const cause = inner(error.cause)
  const errors = error instanceof AggregateError ? inner(error.errors) : undefined
  const fields = Object.entries(error).map(([key, value]: [string, unknown]) => ({
    key,
    value,
    shown: shownValue(value, redact, [error]),
  }))
  const isSame =
    message === error.message && cause === error.cause && fields.every(({ value, shown }) => value === shown)
  if (isSame && (!(error instanceof AggregateError) || errors === error.errors)) return error
  const options = cause === undefined ? undefined : { cause }
  const copy = Array.isArray(errors) ? new AggregateError(errors, message, options) : new Error(message, options)
  const stack = redact(error.stack?.replace(error.message, () => message) ?? '')
  for (const [key, text] of Object.entries({ stack, name: error.name })) {
    Object.defineProperty(copy, key, { value: text, configurable: true, writable: true })
  }
  return Object.assign(copy, Object.fromEntries(fields.map(({ key, shown }) => [key, shown])))
}

/**
 * A text of a remote party as a terminal or a log may show it: control and bidirectional characters, which forge or
 * reorder lines, as `\u001b`.
 */
const escapeControls = (text: string): string =>
  text.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Causes below this depth add nothing a reader could use; also ends a cycle of causes. */
const MAX_CAUSES = 5

/** The messages of a chain of causes, outermost first, without repetitions; `''` where there are none. */
export function causeDetails(cause: unknown): string {
  const messages: string[] = []
  let current = cause
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined; depth++) {
    const message = messageOf(current).trim()
    if (message !== '' && !messages.some((known) => known.includes(message))) messages.push(message)
    current = innerCause(current)
  }
  return messages.join(': ')
}

/** A message that ends with why: with the details of its cause, where there are any. */
export function withDetails(message: string, cause: unknown): string {
  const details = causeDetails(cause)
  return details === '' ? message : `${message}: ${details}`
}

/** WebSocket error events and the errors of browser wallets have a `message` without being an `Error`. */
function messageOf(cause: unknown): string {
  if (typeof cause === 'string') return cause
  const hasMessage = typeof cause === 'object' && cause !== null && 'message' in cause
  return hasMessage && typeof cause.message === 'string' ? cause.message : ''
}

function innerCause(cause: unknown): unknown {
  if (cause instanceof AggregateError) return cause.errors.at(-1)
  return typeof cause === 'object' && cause !== null && 'cause' in cause ? cause.cause : undefined
}

/** Levels that are kept; a remote body may be nested deeper than a stack. */
const MAX_LEVELS = 8

/**
 * A copy that every serialiser takes: bigints as decimal strings, deeper levels and functions by their type only. Reads
 * each value once.
 */
export function toPlain(value: unknown, depth = MAX_LEVELS): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '[…]'
  if (Array.isArray(value)) return value.map((item) => toPlain(item, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item, depth - 1)]))
}
