import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { parsePaymentUri, toPaymentUri } from '../../../src/model/payment-uri.js'
import { toQrText } from '../../../src/streams/requests/page-request.js'

const ADDRESS = 'kaspa:qqkqkzjvr7zwxxmjxjkmxxdwju9kjs6e9u82uh59z07vgaks6gg62v8707g73'

const versionOf = (text: string): number => encode(text, { ecc: 'M' }).version

describe('the text of a QR code', () => {
  it('is the URI where that fits', () => {
    const fields = { address: ADDRESS, amount: 1_250_000_000n, label: 'Shop', message: 'Order 42' }
    expect(toQrText(fields)).toBe(toPaymentUri(fields))
    expect(toQrText({ address: ADDRESS })).toBe(ADDRESS)
    expect(versionOf(toQrText({ address: ADDRESS }))).toBeLessThanOrEqual(6)
  })

  it.each([
    ['long', 'Bookshop', 'x'.repeat(500), 'Bookshop'],
    ['in another script', 'Магазин', 'ё'.repeat(90), 'Магазин'],
    ['of emoji', '🛒🛒', '👍'.repeat(60), '🛒🛒'],
    ['all too long', 'L'.repeat(300), 'M', 'L'.repeat(106)],
  ])('has texts cut to version 10 that are %s', (_, label, message, kept) => {
    const text = toQrText({ address: ADDRESS, amount: 2_899_999_999_900_000_001n, label, message })
    expect(versionOf(text)).toBeLessThanOrEqual(10)
    const read = parsePaymentUri(text, 'mainnet')
    expect(read).toMatchObject({ address: ADDRESS, amount: 2_899_999_999_900_000_001n })
    expect(read.label?.startsWith(kept.slice(0, 7))).toBe(true)
    expect(message.startsWith(read.message ?? '')).toBe(true)
  })
})
