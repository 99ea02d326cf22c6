import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromLosslessJson, toLosslessJson } from '../../src/model/lossless-json.js'
import { anyText } from '../any-text.js'
import { runs } from '../full.js'

const key = fc.oneof(fc.constantFrom('$bigint', '$number', '$$bigint', '$$$number', '__proto__', 'value'), anyText())
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.bigInt(),
    fc.double().filter((number) => !Object.is(number, -0)), // plain JSON writes 0
    fc.boolean(),
    fc.constant(null),
    anyText(),
    fc.constantFrom('</script>', '12', 'NaN'),
    fc.array(tie('any')),
    fc.array(fc.tuple(key, tie('any'))).map((fields) => Object.fromEntries(fields)),
  ),
})).any

describe('toLosslessJson', () => {
  it('writes what fromLosslessJson reads as the same value', () => {
    fc.assert(
      fc.property(value, (any) => {
        expect(fromLosslessJson(toLosslessJson(any))).toEqual(any)
      }),
      { numRuns: runs(500) },
    )
  })

  it('writes plain JSON where plain JSON is exact', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (any) => {
        fc.pre(!JSON.stringify(any).includes('$'))
        expect(toLosslessJson(any)).toBe(JSON.stringify(any).replaceAll('<', '\\u003c'))
      }),
      { numRuns: runs(200) },
    )
  })

  it('writes nothing that ends a script element', () => {
    expect(toLosslessJson({ '</script>': ['<!--', 1n] })).toBe('{"\\u003c/script>":["\\u003c!--",{"$bigint":"1"}]}')
  })

  it('writes undefined as null and leaves out undefined fields', () => {
    expect(toLosslessJson(undefined)).toBe('null')
    expect(toLosslessJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}')
  })
})

describe('fromLosslessJson', () => {
  it.each(['{"$bigint":"0x10"}', '{"$bigint":7}', '{"$number":"1"}', '{"$bigint":null,"other":1}'])(
    'keeps a record of others that uses the name: %s',
    (text) => {
      expect(fromLosslessJson(text)).toEqual(JSON.parse(text))
    },
  )

  it('does not convert digits whose conversion takes time', () => {
    const digits = '9'.repeat(1_001)
    expect(fromLosslessJson(`{"$bigint":"${digits}"}`)).toEqual({ $bigint: digits })
  })

  it('throws SyntaxError for a text that was cut short', () => {
    expect(() => fromLosslessJson(toLosslessJson({ balance: 1n }).slice(0, -1))).toThrow(SyntaxError)
  })
})
