import { describe, expect, it } from 'vitest'
import { toStrictJson } from '../../src/devnode/server/strict-json.js'
import { markLongIntegers, type Characters } from '../../src/model/long-integers.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { parseJson, toBigInt } from '../../src/wrpc/json/message-text.js'

/** Characters visited by `work` in `text`. */
function visits(text: string, work: (text: Characters) => unknown): number {
  let count = 0
  work({
    length: text.length,
    charCodeAt: (at) => {
      count += 1
      return text.charCodeAt(at)
    },
    indexOf: (searched, from = 0) => {
      const found = text.indexOf(searched, from)
      count += (found === -1 ? text.length : found + 1) - from
      return found
    },
    slice: (from, to) => {
      const part = text.slice(from, to)
      count += part.length
      return part
    },
  })
  return count
}

/** Texts that cost a backtracking expression the square of their length or more. */
const ATTACKS: Readonly<Record<string, (length: number) => string>> = {
  'escaped quotes without an end': (length) => `[1234567890123456,"${'\\"'.repeat(length / 2)}`,
  'opening quotes': (length) => `[1234567890123456,${'"\\'.repeat(length / 2)}`,
  'long integers': (length) => `[${'1234567890123456,'.repeat(length / 17)}1]`,
  'one long integer': (length) => `[${'9'.repeat(length)}]`,
  'signs and exponents': (length) => `[1${'e+-.1'.repeat(length / 5)},1234567890123456]`,
  'white space': (length) => `[,${' '.repeat(length)}1234567890123456]`,
}

describe('A2: numbers in JSON', () => {
  it.each(Object.entries(ATTACKS))('visits each character at most four times: %s', (_, attack) => {
    for (const length of [1_000, 100_000]) {
      const text = attack(length)
      expect(visits(text, (characters) => markLongIntegers(characters, '#'))).toBeLessThanOrEqual(4 * text.length)
    }
  })

  it.each(Object.entries(ATTACKS))('decodes a message of a megabyte: %s', (_, attack) => {
    const { kind } = createJsonCodec().decodeMessage(`{"id":1,"method":"getInfo","params":${attack(1_000_000)}}`)
    expect(kind).toBe('malformed')
  })

  it('rejects an integer of more digits than 64 bits have without converting it', () => {
    const value = (parseJson(`[${'9'.repeat(21)}]`) as unknown[])[0]
    expect(() => toBigInt(value, 0n, 2n ** 64n - 1n)).toThrow('An integer of 21 digits is out of range')
  })

  it('leaves an integer with leading zeros, which is no JSON', () => {
    expect(() => parseJson('[01234567890123456]')).toThrow('Not JSON')
    expect(() => parseJson('[-0000000000000001]')).toThrow('Not JSON')
  })

  it('marks the same integers as before', () => {
    const text =
      '[-1234567890123456, "\\\\", 12345678901234567, "\\"1234567890123456", 1234567890123456.5, 1234567890123456e1]'
    expect(markLongIntegers(text, '#')).toBe(
      '["#-1234567890123456", "\\\\", "#12345678901234567", "\\"1234567890123456", 1234567890123456.5, 1234567890123456e1]',
    )
  })

  it.each(Object.entries(ATTACKS))('devnode reads a request of a megabyte: %s', (_, attack) => {
    const text = `{"params":-0,"x":${attack(1_000_000)}`
    expect(toStrictJson(text)?.startsWith('{"params":"#"')).toBe(true)
  })

  it('devnode reads a string of nine million escapes, which exceeds the stack of an expression', () => {
    const text = `{"params":-0,"x":"${'\\n'.repeat(9_000_000)}"}`
    expect(toStrictJson(text)).toHaveLength(text.length + 1)
  })
})
