import { describe, expect, it } from 'vitest'
import { floatText, parseJson, toBigInt } from '../../src/wrpc/json/message-text.js'

const MAX = 2n ** 64n - 1n

describe('a number in JSON', () => {
  it('keeps all digits of a long integer', () => {
    const value = parseJson('{"a":18446744073709551615,"b":[9007199254740993, 1],"c":-9223372036854775808}')
    expect(value).toMatchObject({ a: '#18446744073709551615', c: '#-9223372036854775808' })
    expect(toBigInt((value as { a: unknown }).a, 0n, MAX)).toBe(MAX)
  })

  it('is unchanged inside a string, after a decimal point and in an exponent', () => {
    const text =
      '{"text":"[1234567890123456789, \\"5,1234567890123456789","f":0.000010000000656873453,"g":1.5e16,"h":12345678901234567}'
    expect(parseJson(text)).toEqual({
      text: '[1234567890123456789, "5,1234567890123456789',
      f: 0.000010000000656873453,
      g: 1.5e16,
      h: '#12345678901234567',
    })
  })

  it('is an integer if written with a zero fraction or an exponent', () => {
    expect(toBigInt(parseJson('1e9'), 0n, MAX)).toBe(1_000_000_000n)
    expect(toBigInt(parseJson('1.0e9'), 0n, MAX)).toBe(1_000_000_000n)
  })

  it.each(['1.5', '-1', '18446744073709551616', '"5"', 'null', 'true'])('%s is not a u64', (text) => {
    expect(() => toBigInt(parseJson(text), 0n, MAX)).toThrow(/integer|range/)
  })

  it.each([
    [100, '100.0'],
    [0.5, '0.5'],
    [0.00040720760390324017, '0.00040720760390324017'],
    [0.000012, '0.000012'],
    [0.0000012, '1.2e-6'],
    [123456789012345680, '1.2345678901234568e17'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e16'],
    [-1, '-1.0'],
    [-0, '-0.0'],
    [Infinity, 'null'],
    [NaN, 'null'],
  ])('%d is encoded as by a node', (value, text) => {
    expect(floatText(value)).toBe(text)
  })
})
