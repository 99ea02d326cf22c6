import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/rest/decoding/json.js'
import { anyText } from '../../any-text.js'

const MAX_U64 = 2n ** 64n - 1n

/** JSON with integers of any length in digits, as the server writes them. */
const write = (value: unknown): string => {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${write(item)}`)
    .join(',')}}`
}

/** The expected result: a number for safe integers, else a bigint. */
const expected = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value <= 2n ** 53n - 1n && value >= 1n - 2n ** 53n ? Number(value) : value
  if (Array.isArray(value)) return value.map(expected)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expected(item)]))
}

describe('JSON from the indexer', () => {
  it('keeps every digit of any integer up to 2^64 − 1', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX_U64), (integer) => {
        const { amount } = parseJson(`{"amount":${integer}}`) as { amount: number | bigint }
        expect(BigInt(amount)).toBe(integer)
      }),
    )
  })

  it('parses any JSON with long integers anywhere', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        fc.bigInt(-MAX_U64, MAX_U64),
        anyText(),
        fc.constantFrom('\\', '"', '\\"', ':12345678901234567890,', '\u00001', '[1234567890123456789]', null, true),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          tie('tree'),
          { maxKeys: 4 },
        ),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        expect(parseJson(write(value))).toEqual(expected(value))
      }),
    )
  })

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['[1192567684821667387]', [1192567684821667387n]],
    ['{"difficulty":5.2250398044298835e+17}', { difficulty: 5.2250398044298835e17 }],
    ['{"hashrate":10450079.608859766}', { hashrate: 10450079.608859766 }],
    ['{"odd":1e1234567890123456789}', { odd: Infinity }],
    [' { "spaced" : 12345678901234567890 } ', { spaced: 12345678901234567890n }],
  ])('parses %s', (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  it.each([
    '',
    '{',
    '{"amount":12345678901234567890',
    '[12345678901234567890',
    '{"a":00000000000000000001}',
    '"\\',
    '{"a":"12345678901234567890',
  ])('rejects %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })

  it('keeps the key `__proto__` as JSON.parse does', () => {
    const value = parseJson('{"__proto__":{"polluted":12345678901234567890}}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect('polluted' in {}).toBe(false)
  })
})
