import { describe, expect, it } from 'vitest'
import { toStrictJson } from '../../../src/devnode/server/strict-json.js'

const inParams = (value: string) => `{"id":1,"method":"ping","params":{"x":${value}}}`

describe('toStrictJson', () => {
  it.each([
    '[1,-5,0,12345678901234567890]',
    '"1.5e3 \\" -0"',
    'true',
    '{"id":1,"more":{"id":2}}',
    '"\\ud83d\\ude00"',
    '"\\\\ud800"',
  ])('leaves %s unchanged', (value) => expect(toStrictJson(inParams(value))).toBe(inParams(value)))

  it.each(['1.0', '1e3', '-0', '-1.5E-3', '0.0'])('replaces %s, which is not an integer', (value) => {
    expect(toStrictJson(inParams(value))).toBe(inParams('"#"'))
  })

  it.each(['1e999', '"\\ud800"', '"\\udc00\\ud800"', '['.repeat(126) + ']'.repeat(126)])(
    'rejects %s in params',
    (value) => {
      expect(toStrictJson(inParams(value))).toBeUndefined()
    },
  )

  it.each(['{"id":1,"id":1}', '{"method":"a","params":{},"method":"a"}', '\ufeff{}'])('rejects %s', (text) => {
    expect(toStrictJson(text)).toBeUndefined()
  })

  it('accepts outside of params what it rejects in them', () => {
    const text = `{"id":1,"x":${'['.repeat(200) + ']'.repeat(200)},"y":"\\ud800","params":{}}`
    expect(toStrictJson(text)).toBe(text)
  })
})
