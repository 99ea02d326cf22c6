import { memberOf } from '../member-of.js'

/**
 * What a rejection says in words: its message, or itself where it is a text, then what the extension was told inside, of
 * which KasWare's message may say nothing.
 */
export const wordsOf = (cause: unknown): readonly string[] => [
  toWords(cause),
  toWords(fieldOf(fieldOf(cause, 'data'), 'originalError')),
]

function toWords(value: unknown): string {
  const words = typeof value === 'string' ? value : fieldOf(value, 'message')
  return typeof words === 'string' ? words : ''
}

/** A field of what may be no object at all. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? memberOf(value, name) : undefined
