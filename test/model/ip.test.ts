import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromIpText, isIp, toIpText } from '../../src/model/ip.js'

describe('an IP address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
    ['::', '::'],
    ['::1', '::1'],
    ['fe80::1:0:0:1', 'fe80::1:0:0:1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:2:3:4:5:6:7:0', '1:2:3:4:5:6:7:0'],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1'],
  ])('parses %s and writes %s', (text, canonical) => {
    expect(toIpText(fromIpText(text) ?? new Uint8Array())).toBe(canonical)
  })

  it.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4.5',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '12345::',
    'g::',
    'localhost',
  ])('rejects "%s"', (text) => {
    expect(isIp(text)).toBe(false)
  })

  it('round-trips for any bytes', () => {
    const sizes = fc.constantFrom(4, 16)
    const bytes = sizes.chain((size) => fc.uint8Array({ minLength: size, maxLength: size }))
    fc.assert(
      fc.property(bytes, (address) => {
        expect(fromIpText(toIpText(address))).toEqual(address)
      }),
    )
  })
})
