/** The part of a string that the scanner reads. A test passes one that counts. */
export type Characters = Pick<string, 'length' | 'charCodeAt' | 'indexOf' | 'slice'>

/** The number of digits from which an integer may be too long for a JavaScript number. */
const LONG = 16

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39

/**
 * The JSON text with every long integer as a string that begins with `mark`. Strings, and numbers with a point or an
 * exponent, stay unchanged, as does what begins with a zero and is no JSON. Visits each character a constant number of
 * times, whatever the text holds.
 */
export function markLongIntegers(text: Characters, mark: string): string {
  let marked = ''
  let copied = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = stringEnd(text, at + 1)
    } else if (isDigit(code)) {
      const end = digitsEnd(text, at)
      if (end - at >= LONG && code !== ZERO && !isInNumber(text.charCodeAt(end))) {
        const start = at > 0 && text.charCodeAt(at - 1) === MINUS ? at - 1 : at
        marked += `${text.slice(copied, start)}"${mark}${text.slice(start, end)}"`
        copied = end
      }
      at = numberEnd(text, end)
    } else {
      at += 1
    }
  }
  return marked + text.slice(copied, text.length)
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

/** Whether a number continues with this character after its first digits: `.`, `e`, `E`, `+`, `-` or a digit. */
const isInNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === MINUS

/** The index after the closing quote of the string whose content begins at `from`; the end of the text without one. */
export function stringEnd(text: Characters, from: number): number {
  let quote = text.indexOf('"', from) // most of a response is strings: a loop over their characters takes twice as long
  while (quote !== -1 && isEscaped(text, from, quote)) quote = text.indexOf('"', quote + 1)
  return quote === -1 ? text.length : quote + 1
}

/** Whether an odd number of backslashes precedes it in a string that begins at `from`. */
function isEscaped(text: Characters, from: number, quote: number): boolean {
  let before = quote
  while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before -= 1
  return (quote - before) % 2 === 1
}

function digitsEnd(text: Characters, from: number): number {
  let at = from
  while (at < text.length && isDigit(text.charCodeAt(at))) at += 1
  return at
}

function numberEnd(text: Characters, from: number): number {
  let at = from
  while (at < text.length && isInNumber(text.charCodeAt(at))) at += 1
  return at
}
