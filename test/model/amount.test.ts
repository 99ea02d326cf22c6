import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import {
  currencyUnit,
  kaspaToSompi,
  numberToKaspa,
  numberToSompi,
  sompiToKaspa,
  sompiToKaspaString,
} from '../../src/model/amount.js'
import { AVAILABLE_NETWORKS, type ChainNetwork } from '../../src/model/network.js'
import { errorOf } from './error-of.js'

const sompi = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n })

describe('kaspaToSompi', () => {
  it.each<[string | number, bigint]>([
    ['1', 100_000_000n],
    ['12.5', 1_250_000_000n],
    ['.5', 50_000_000n],
    ['5.', 500_000_000n],
    ['0', 0n],
    ['-0.00000001', -1n],
    ['1.000000000', 100_000_000n],
    ['28999999999.99999999', 2_899_999_999_999_999_999n],
    [0.1, 10_000_000n],
    [1e-8, 1n],
    [1.5e-7, 15n],
    [1e21, 10n ** 29n],
    [0, 0n],
    [-2.25, -225_000_000n],
  ])('reads %s to the last sompi', (kas, expected) => {
    expect(kaspaToSompi(kas)).toBe(expected)
    expect(numberToSompi(kas)).toBe(expected)
  })

  it.each(['', '.', '-', '1,5', '1 000', ' 1', '0x10', '1e3', 'abc', '1.2.3', '١', Number.NaN, Infinity])(
    'rejects "%s", which is no amount',
    (kas) => {
      expect(errorOf(() => kaspaToSompi(kas))).toEqual({
        message: `"${String(kas)}" is not an amount of KAS`,
        code: 'invalid-argument',
        argument: 'kas',
      })
    },
  )

  it('does not quote a long text, which may be a key', () => {
    expect(errorOf(() => kaspaToSompi('c0ffee'.repeat(10))).message).toBe(
      'A text of 60 characters is not an amount of KAS',
    )
  })

  it.each(['0.000000001', 0.1 + 0.2, 1e-9])('rejects %s, which is finer than a sompi', (kas) => {
    expect(errorOf(() => kaspaToSompi(kas)).message).toBe(`${String(kas)} KAS is no whole number of sompi`)
  })

  it('is the inverse of sompiToKaspa', () => {
    fc.assert(fc.property(sompi, (amount) => kaspaToSompi(sompiToKaspa(amount)) === amount))
  })

  it('returns a bigint or throws ChainError for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          kaspaToSompi(text)
        } catch (error) {
          expect(error).toBeInstanceOf(ChainError)
        }
      }),
    )
  })
})

describe('sompiToKaspa', () => {
  it.each([
    [0n, '0'],
    [1n, '0.00000001'],
    [150_000_000n, '1.5'],
    [1_000_000_000n, '10'],
    [-1n, '-0.00000001'],
    [2n ** 64n - 1n, '184467440737.09551615'],
  ])('writes %s as %s', (amount, expected) => {
    expect(sompiToKaspa(amount)).toBe(expected)
  })
})

it.each([5, '5', null, undefined])('rejects sompi that are no bigint: %s', (amount) => {
  for (const convert of [sompiToKaspa, sompiToKaspaString]) {
    expect(errorOf(() => convert(amount as never))).toMatchObject({ code: 'invalid-argument', argument: 'sompi' })
  }
})

describe('sompiToKaspaString', () => {
  it.each<[bigint, number | undefined, string]>([
    [150_000_000n, undefined, '1.5'],
    [150_000_000n, 2, '1.50'],
    [150_000_000n, 8, '1.50000000'],
    [150_000_000n, 0, '2'],
    [149_999_999n, 0, '1'],
    [99_999_999n, 2, '1.00'],
    [-150_000_000n, 0, '-2'],
    [-1n, 2, '0.00'],
    [0n, 3, '0.000'],
  ])('writes %s with %s decimals as %s', (amount, decimals, expected) => {
    expect(sompiToKaspaString(amount, decimals)).toBe(expected)
  })

  it.each([-1, 9, 1.5, Number.NaN])('rejects %s decimals', (decimals) => {
    expect(errorOf(() => sompiToKaspaString(1n, decimals)).argument).toBe('decimals')
  })

  it('rounds by at most half of the last digit', () => {
    fc.assert(
      fc.property(sompi, fc.integer({ min: 0, max: 8 }), (amount, decimals) => {
        const difference = kaspaToSompi(sompiToKaspaString(amount, decimals)) - amount
        expect(2n * (difference < 0n ? -difference : difference)).toBeLessThanOrEqual(10n ** BigInt(8 - decimals))
      }),
    )
  })
})

describe('numberToKaspa', () => {
  it('appends the currency unit of the given network', () => {
    expect(numberToKaspa(150_000_000)).toBe('1.5')
    expect(numberToKaspa(150_000_000n, 'testnet-10')).toBe('1.5 TKAS')
  })

  it.each([0.5, 2 ** 53, Number.NaN])('rejects the number %s, which may be inexact', (amount) => {
    expect(errorOf(() => numberToKaspa(amount)).argument).toBe('sompi')
  })
})

describe('currencyUnit', () => {
  it('is KAS by default', () => {
    expect(currencyUnit()).toBe('KAS')
    expect(AVAILABLE_NETWORKS.map((network) => currencyUnit(network))).toEqual(['KAS', 'TKAS', 'TKAS', 'SKAS', 'DKAS'])
  })

  it('rejects an unknown network', () => {
    expect(errorOf(() => currencyUnit('testnet' as ChainNetwork))).toEqual({
      message: 'There is no network "testnet"',
      code: 'invalid-argument',
      argument: 'network',
    })
  })
})
