import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { fromHex, isHex, toHex, writeHex } from '../../src/model/hex.js'

describe('hex', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromHex(toHex(bytes))).toEqual(bytes)
      }),
    )
  })

  it('is written in lower case and read in either case', () => {
    expect(toHex(Uint8Array.of(0, 10, 171, 255))).toBe('000aabff')
    expect(fromHex('000AaBFf')).toEqual(Uint8Array.of(0, 10, 171, 255))
  })

  it.each(['0', 'abc', '0x12', 'zz', '1g', 'g1', '  ', '\u0161\u0161'])(
    'rejects invalid text without quoting it: "%s"',
    (text) => {
      const attempt = (): unknown => fromHex(text, 'payload')
      expect(attempt).toThrow(ChainError)
      expect(attempt).toThrow('"payload" is not hex')
    },
  )

  it('is written between other bytes, of whole bytes only', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4)
    writeHex('Ff00', bytes, 1)
    expect(bytes).toEqual(Uint8Array.of(1, 255, 0, 4))
    expect(() => writeHex('abc', bytes, 1)).toThrow('"hex" is not hex')
    expect(bytes[2]).toBe(0)
  })

  it('is validated by digits, case and length', () => {
    expect(isHex('00ff')).toBe(true)
    expect(isHex('00ff', 2)).toBe(true)
    expect(isHex('')).toBe(true)
    expect(['0', '00FF', '0g', 7, null, undefined].some((value) => isHex(value))).toBe(false)
    expect(isHex('00ff', 3)).toBe(false)
  })
})
