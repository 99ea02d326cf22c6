/**
 * JSON as the indexer writes it, without losing a digit: an integer that a double cannot hold becomes a bigint.
 *
 * `JSON.parse` is fast and rounds; a parser in JavaScript is exact and ten times slower. So: most answers hold no long
 * integer and go to `JSON.parse` as they are. In the others each long integer is first written as a string behind a
 * mark, and the mark is looked for in the parsed tree.
 * @throws SyntaxError where the text is no JSON.
 */
export function parseJson(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text)
  const mark = unusedMark(text)
  return restoreIntegers(JSON.parse(markIntegers(text, mark.escape)), mark.code)
}

/** Sixteen digits after a structural character. A hint only: the same may stand inside a string. */
const LONG_INTEGER = /[:,[\s]-?\d{16}|^-?\d{16}/
/** An integer of sixteen digits and more, outside strings, that is neither part of a fraction nor of an exponent. */
const INTEGERS = /(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g

interface Mark {
  /** How JSON writes it. */
  readonly escape: string
  /** What it is once parsed: one of the first control characters, which JSON has no other way to write. */
  readonly code: number
}

/** A character that occurs in no string of this text, so that a marked integer can be mistaken for nothing else. */
function unusedMark(text: string): Mark {
  for (let code = 0; code < 8; code++) {
    const escape = `\\u000${code}`
    if (!text.includes(escape)) return { escape, code }
  }
  throw new SyntaxError('An answer that uses every control character is not from an indexer')
}

/** Writes each long integer as a string behind the mark. Strings are skipped from quote to quote, never looked into. */
function markIntegers(text: string, escape: string): string {
  const pieces: string[] = []
  let done = 0
  for (let open = 0; open >= 0;) {
    const from = open
    open = text.indexOf('"', from)
    const until = open < 0 ? text.length : open
    if (until - from >= 16) {
      pieces.push(text.slice(done, from), text.slice(from, until).replace(INTEGERS, `"${escape}$&"`))
      done = until
    }
    if (open >= 0) open = endOfString(text, open)
  }
  return pieces.join('') + text.slice(done)
}

/** The position behind the quote that closes the string opened at `open`; -1 where none does. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close >= 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close < 0 ? -1 : close + 1
}

function isEscaped(text: string, position: number): boolean {
  let backslashes = 0
  while (text[position - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Puts the integers back, in place: the tree is ours, nobody has seen it yet. Counted loops, for it visits every value. */
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

function toInteger(digits: string): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}
