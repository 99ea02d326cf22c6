import { invalidPskb, type InvalidPskbError, type InvalidPskbReason } from '../../errors/cosigning-errors.js'

/** JSON with whole numbers only. Members keep their order; `__proto__` is a name like any other. */
export type JsonValue = null | boolean | bigint | string | readonly JsonValue[] | JsonObject
export type JsonObject = ReadonlyMap<string, JsonValue>

const MAX_DEPTH = 16
const MAX_U64 = 2n ** 64n - 1n

/**
 * Parses JSON that every reader reads alike: numbers are whole, at most 2^64 − 1 and exact, no member is there twice,
 * no string has half a surrogate pair, and values are nested 16 deep at most. Visits each character a constant number
 * of times. Throws `InvalidPskbError` with the path.
 */
export function parseStrictJson(text: string): JsonValue {
  return new StrictParser(text).parse()
}

class StrictParser {
  readonly #text: string
  readonly #path: (string | number)[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): JsonValue {
    const value = this.#value()
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#invalid('syntax')
    return value
  }

  #value(): JsonValue {
    this.#skipSpace()
    const code = this.#text.charCodeAt(this.#at)
    switch (code) {
      case QUOTE:
        return this.#string()
      case 0x7b:
        return this.#object()
      case 0x5b:
        return this.#array()
      case 0x74:
        return this.#word('true', true)
      case 0x66:
        return this.#word('false', false)
      case 0x6e:
        return this.#word('null', null)
      default:
        if (isDigit(code)) return this.#number()
        throw this.#invalid(code === 0x2d ? 'number' : 'syntax')
    }
  }

  #object(): JsonObject {
    const members = new Map<string, JsonValue>()
    this.#items(0x7d, () => {
      if (this.#text.charCodeAt(this.#at) !== QUOTE) throw this.#invalid('syntax')
      const name = this.#string()
      this.#path.push(name)
      if (members.has(name)) throw this.#invalid('duplicate')
      this.#skipSpace()
      this.#expect(0x3a)
      members.set(name, this.#value())
      this.#path.pop()
    })
    return members
  }

  #array(): readonly JsonValue[] {
    const values: JsonValue[] = []
    this.#items(0x5d, () => {
      this.#path.push(values.length)
      values.push(this.#value())
      this.#path.pop()
    })
    return values
  }

  /** Reads items between commas up to the closing bracket. */
  #items(closing: number, readItem: () => void): void {
    if (this.#path.length >= MAX_DEPTH) throw this.#invalid('depth')
    this.#at += 1
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) === closing) {
      this.#at += 1
      return
    }
    for (;;) {
      this.#skipSpace()
      readItem()
      this.#skipSpace()
      const code = this.#text.charCodeAt(this.#at)
      this.#at += 1
      if (code === closing) return
      if (code !== 0x2c) throw this.#invalid('syntax')
    }
  }

  #number(): bigint {
    const start = this.#at
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at += 1
    const isLong = this.#at - start > MAX_DIGITS
    const hasLeadingZero = this.#text.charCodeAt(start) === ZERO && this.#at - start > 1
    if (isLong || hasLeadingZero || FRACTION.includes(this.#text.charCodeAt(this.#at))) throw this.#invalid('number')
    const number = BigInt(this.#text.slice(start, this.#at))
    if (number > MAX_U64) throw this.#invalid('number')
    return number
  }

  #string(): string {
    const start = this.#at + 1
    let hasEscapes = false
    for (let at = start; ; at++) {
      const code = this.#text.charCodeAt(at)
      if (code === QUOTE) {
        this.#at = at + 1
        const raw = this.#text.slice(start, at)
        return hasEscapes ? this.#unescape(raw) : raw
      }
      if (!(code >= 0x20)) throw this.#invalid('syntax') // also the end of the text, where it is NaN
      if (code !== BACKSLASH) continue
      hasEscapes = true
      at += 1
    }
  }

  /** The text is checked by what the platform reads as JSON; half a surrogate pair is refused, as serde refuses it. */
  #unescape(raw: string): string {
    try {
      const text: unknown = JSON.parse(`"${raw}"`)
      if (typeof text === 'string' && !HALF_PAIR.test(text)) return text
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
    throw this.#invalid('syntax')
  }

  #word<Value extends null | boolean>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) throw this.#invalid('syntax')
    this.#at += word.length
    return value
  }

  #expect(code: number): void {
    if (this.#text.charCodeAt(this.#at) !== code) throw this.#invalid('syntax')
    this.#at += 1
  }

  #skipSpace(): void {
    while (SPACE.includes(this.#text.charCodeAt(this.#at))) this.#at += 1
  }

  #invalid(reason: InvalidPskbReason): InvalidPskbError {
    return invalidPskb(reason, this.#path.reduce<string>(appendStep, '$'))
  }
}

/** Appends a step to a JSON path. Long names and those with other characters are `*`: they may be anything. */
export const appendStep = (path: string, step: string | number): string => {
  if (typeof step === 'number') return `${path}[${step}]`
  return NAME.test(step) ? `${path}.${step}` : `${path}.*`
}

const NAME = /^[A-Za-z][A-Za-z0-9]{0,30}$/
const HALF_PAIR = /\p{Surrogate}/u

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ZERO = 0x30
const SPACE: readonly number[] = [0x20, 0x0a, 0x0d, 0x09]
/** The characters `.`, `e` and `E`. */
const FRACTION: readonly number[] = [0x2e, 0x65, 0x45]
/** Digits of 2^64 − 1. */
const MAX_DIGITS = 20

const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39
