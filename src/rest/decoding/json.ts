import { markLongIntegers } from '../../model/long-integers.js'

/**
 * Parses JSON without losing digits: an integer that a double cannot hold becomes a bigint.
 *
 * `JSON.parse` is fast and rounds; a parser in JavaScript is exact and ten times slower. Most responses hold no long
 * integer and go to `JSON.parse` unchanged. In the others each long integer is first written as a string with a mark
 * character, which is replaced in the parsed tree.
 * @throws SyntaxError for invalid JSON.
 */
export function parseJson(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text)
  const mark = unusedMark(text)
  return restoreIntegers(JSON.parse(markLongIntegers(text, mark.escape)), mark.code)
}

/** Sixteen digits after a structural character. May also match inside a string. */
const LONG_INTEGER = /[:,[\s]-?\d{16}|^-?\d{16}/

interface Mark {
  /** Its JSON escape sequence. */
  readonly escape: string
  /** Its character code once parsed: a control character, which JSON can only write as this escape. */
  readonly code: number
}

/** A character that occurs in no string of this text, so that marked integers are unambiguous. */
function unusedMark(text: string): Mark {
  for (let code = 0; code < 8; code++) {
    const escape = `\\u000${code}`
    if (!text.includes(escape)) return { escape, code }
  }
  throw new SyntaxError('The response uses every control character')
}

/** Restores the integers in place. Counted loops for speed: it visits every value. */
function restoreIntegers(value: unknown, mark: number): unknown {
  if (typeof value === 'string') return value.charCodeAt(0) === mark ? toInteger(value.slice(1)) : value
  if (Array.isArray(value)) for (let at = 0; at < value.length; at++) value[at] = restoreIntegers(value[at], mark)
  else if (typeof value === 'object' && value !== null) restoreFields(value as Record<string, unknown>, mark)
  return value
}

function restoreFields(record: Record<string, unknown>, mark: number): void {
  for (const key in record) {
    const before = record[key]
    const after = restoreIntegers(before, mark)
    if (after !== before) record[key] = after
  }
}

/** Digits of an integer that stays exact. Converting a longer one would take more than linear time. */
const MAX_DIGITS = 1_000

function toInteger(digits: string): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) || digits.length > MAX_DIGITS ? number : BigInt(digits)
}

/**
 * A body that ends before its JSON does. Without a `Content-Length` nothing else shows that the connection was lost.
 */
export class CutShort extends Error {}

/** Whether this invalid JSON is the beginning of a list or a record that was cut short. */
export function endsEarly(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInString && character === '\\') at++
    else if (character === '"') isInString = !isInString
    else if (!isInString && (character === '{' || character === '[')) depth++
    else if (!isInString && (character === '}' || character === ']')) depth--
  }
  return isInString || depth > 0
}
