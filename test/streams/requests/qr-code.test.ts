import { expect, it } from 'vitest'
import { toQrCode } from '../../../src/streams/requests/qr-code.js'

/** Modules of a side, with the quiet zone. */
const sizeOf = (version: number): number => 17 + 4 * version + 8

it.each([
  ['an address', 'x'.repeat(62), 4],
  ['the longest text at level M', 'x'.repeat(2_331), 40],
  ['a longer one at level L', 'x'.repeat(2_332), 36],
  ['the longest text of an account of several signers', `PSKB${'A'.repeat(4_292)}`, 40],
])('draws %s', (_, text, version) => {
  expect(toQrCode(text).size).toBe(sizeOf(version))
})

it('refuses a text that fits into no code', () => {
  expect(() => toQrCode('A'.repeat(4_297))).toThrow('Data too long')
})
