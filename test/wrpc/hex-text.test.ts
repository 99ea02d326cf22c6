import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createHexText } from '../../src/wrpc/borsh/cursor.js'

/** Newer engines have `toHex`, Node 20 has not. */
const toHex = {
  configurable: true,
  value(this: Uint8Array): string {
    engineCalls++
    return Buffer.from(this).toString('hex')
  },
}
const own = Object.getOwnPropertyDescriptor(Uint8Array.prototype, 'toHex')
let engineCalls = 0

afterEach(() => {
  Reflect.deleteProperty(Uint8Array.prototype, 'toHex')
  if (own !== undefined) Object.defineProperty(Uint8Array.prototype, 'toHex', own)
})

describe.each([
  ['with', () => Object.defineProperty(Uint8Array.prototype, 'toHex', toHex)],
  ['without', () => Reflect.deleteProperty(Uint8Array.prototype, 'toHex')],
])('bytes of a frame, in an engine %s toHex', (which, prepare) => {
  it('are encoded as two digits each, at any length and position', () => {
    prepare()
    engineCalls = 0
    const hexText = createHexText()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(80), (bytes, start) => {
        const part = bytes.subarray(start)
        expect(hexText(bytes, bytes.length - part.length, part.length)).toBe(Buffer.from(part).toString('hex'))
      }),
    )
    expect(engineCalls > 0).toBe(which === 'with')
  })
})
