import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_SOMPI } from '../../src/model/amount.js'
import type { ChainNetwork } from '../../src/model/network.js'
import { parsePaymentUri, toPaymentUri } from '../../src/model/payment-uri.js'
import { runs } from '../full.js'

const ADDRESS = 'kaspa:qr0lr4ml9fn3chekrqmjdkergxl93l4wrk3dankcgvjq776s9wn9jkdskewva'
const PART = ADDRESS.slice('kaspa:'.length)

/** The label of a URI as the wallet Kaspium reads it: cut at `?`, at `&`, and behind the last `=`. */
function labelOfKaspium(uri: string): string | undefined {
  const [, query = '', ...more] = uri.split('?')
  if (more.length > 0) throw new Error('Kaspium refuses a second question mark')
  const parameter = query.split('&').find((part) => part.startsWith('label='))
  return parameter === undefined ? undefined : decodeURIComponent(parameter.slice(parameter.lastIndexOf('=') + 1))
}

const texts = fc.string({ unit: 'grapheme', maxLength: 60 })
const fields = fc.record(
  { address: fc.constant(ADDRESS), amount: fc.bigInt({ min: 1n, max: MAX_SOMPI }), label: texts, message: texts },
  { requiredKeys: ['address'] },
)

describe('toPaymentUri', () => {
  it.each([
    [{}, ''],
    [{ amount: 1_250_000_000n }, '?amount=12.5'],
    [{ amount: 1n }, '?amount=0.00000001'],
    [{ amount: 300_000_000n, label: 'Shop', message: 'Order 42' }, '?amount=3&label=Shop&message=Order%2042'],
    [{ label: 'a+b=c&d?e#f%' }, '?label=a%2Bb%3Dc%26d%3Fe%23f%25'],
    [{ message: 'Äpfel 🍏' }, '?message=%C3%84pfel%20%F0%9F%8D%8F'],
  ])('writes %o as %s', (more, query) => {
    expect(toPaymentUri({ address: ADDRESS, ...more })).toBe(ADDRESS + query)
  })

  it.each([
    [{ address: 'kaspa:qr0lr4ml' }, 'address'],
    [{ amount: 0n }, 'amount'],
    [{ amount: -1n }, 'amount'],
    [{ amount: MAX_SOMPI + 1n }, 'amount'],
    [{ label: '\ud83c' }, 'label'],
    [{ message: 'x'.repeat(4_096) }, 'message'],
  ])('rejects %o', (wrong, argument) => {
    expect(() => toPaymentUri({ address: ADDRESS, ...wrong })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument }),
    )
  })

  it('is read as it was written, by parsePaymentUri and as Kaspium reads it', () => {
    fc.assert(
      fc.property(fields, (requested) => {
        const uri = toPaymentUri(requested)
        expect(parsePaymentUri(uri, 'mainnet')).toEqual({ amount: null, label: null, message: null, ...requested })
        expect(labelOfKaspium(uri)).toBe(requested.label)
        expect(uri).toMatch(/^[\x21-\x7e]+$/)
      }),
      { numRuns: runs(2_000, 10_000) },
    )
  })
})

describe('parsePaymentUri', () => {
  it.each([
    ['a bare address', ADDRESS, {}],
    ['a scheme in upper case', `KASPA:${PART}`, {}],
    ['an empty query', `${ADDRESS}?`, {}],
    ['zeros behind the point', `${ADDRESS}?amount=12.50000000`, { amount: 1_250_000_000n }],
    ['parameters of other names', `${ADDRESS}?memo=x&label=Shop&flag`, { label: 'Shop' }],
    ['a plus sign, which is no space', `${ADDRESS}?label=a+b`, { label: 'a+b' }],
    ['an equals sign in a text', `${ADDRESS}?label=a=b`, { label: 'a=b' }],
  ])('reads %s', (_, uri, found) => {
    expect(parsePaymentUri(uri, 'mainnet')).toEqual({
      address: ADDRESS,
      amount: null,
      label: null,
      message: null,
      ...found,
    })
  })

  it.each([
    ['another scheme', `bitcoin:${PART}`],
    ['no scheme', PART],
    ['a wrong checksum', `${ADDRESS.slice(0, -1)}q`],
    ['an address in upper case', ADDRESS.toUpperCase()],
    ['blanks around it', ` ${ADDRESS}`],
    ['two question marks', `${ADDRESS}?amount=1?label=Shop`],
    ['nine decimals, which are not cut', `${ADDRESS}?amount=0.123456789`],
    ['an exponent', `${ADDRESS}?amount=1e3`],
    ['a comma', `${ADDRESS}?amount=1,5`],
    ['a sign', `${ADDRESS}?amount=-1`],
    ['no digits', `${ADDRESS}?amount=`],
    ['nothing to pay', `${ADDRESS}?amount=0`],
    ['more than there is', `${ADDRESS}?amount=29000000001`],
    ['an amount twice', `${ADDRESS}?amount=1&amount=2`],
    ['an amount twice, once escaped', `${ADDRESS}?amount=1&%61mount=2`],
    ['a requirement', `${ADDRESS}?amount=1&req-contract=x`],
    ['an escaped requirement', `${ADDRESS}?%72eq-contract=x`],
    ['a broken escape', `${ADDRESS}?label=%E0%A4%A`],
    ['a text that is too long', `${ADDRESS}?label=${'x'.repeat(4_096)}`],
  ])('rejects %s, and does not repeat it', (_, uri) => {
    expect(() => parsePaymentUri(uri, 'mainnet')).toThrow(
      expect.objectContaining({
        code: 'invalid-argument',
        argument: 'text',
        message: expect.not.stringContaining(PART.slice(0, 12)) as string,
      }),
    )
  })

  it('rejects the address of another network, and a network that does not exist', () => {
    expect(() => parsePaymentUri(ADDRESS, 'testnet-10')).toThrow('The URI is of another network than testnet-10')
    expect(() => parsePaymentUri(ADDRESS, 'kaspa' as ChainNetwork)).toThrow('There is no network "kaspa"')
  })

  it('throws nothing but its own error, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `${ADDRESS}?${text}`),
        ),
        (text) => {
          try {
            parsePaymentUri(text, 'mainnet')
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid-argument' })
          }
        },
      ),
      { numRuns: runs(2_000, 10_000) },
    )
  })
})
