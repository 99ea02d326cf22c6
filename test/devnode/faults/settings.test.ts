import { describe, expect, it } from 'vitest'
import { FAULT_KINDS } from '../../../src/devnode/faults/kinds.js'
import { readSettings } from '../../../src/devnode/faults/active-fault.js'

describe('fault settings', () => {
  it('have defaults', () => {
    expect(readSettings(FAULT_KINDS.delay)).toEqual({ settings: { ms: 100, jitter: 0 }, span: { for: 0, times: 0 } })
    expect(readSettings(FAULT_KINDS.dropReply)).toEqual({ settings: { method: '' }, span: { for: 0, times: 1 } })
  })

  it('include `for` and `times`', () => {
    expect(readSettings(FAULT_KINDS.delay, { ms: 5, for: 20, times: undefined })).toEqual({
      settings: { ms: 5, jitter: 0 },
      span: { for: 20, times: 0 },
    })
  })

  it.each([
    [{ speed: 1 }, 'speed', 'A fault has no setting "speed"', 'It has how, code, for, times.'],
    [{ how: 'gently' }, 'how', 'The setting "how" is invalid', 'Allowed is cut, reset, close.'],
    [{ code: '1000' }, 'code', 'The setting "code" is invalid', 'Allowed is a number, 0 or more.'],
    [{ for: -1 }, 'for', 'The setting "for" is invalid', 'Allowed is a number, 0 or more.'],
    ['cut', 'settings', 'The settings of a fault are an object', 'Omit them for the defaults.'],
  ])('reject %j with the setting and its allowed values', (given, argument, message, hint) => {
    expect(() => readSettings(FAULT_KINDS.drop, given)).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument, message, hint }),
    )
  })

  it.each(['failCall', 'dropReply', 'reorderReplies'] as const)('of %s name a method of a node', (kind) => {
    const read = (method: unknown) => readSettings(FAULT_KINDS[kind], { method }).settings
    expect(read('submitTransaction')).toMatchObject({ method: 'submitTransaction' })
    expect(read('')).toMatchObject({ method: '' })
    for (const method of ['submitTransacton', 'toString', 5])
      expect(() => read(method)).toThrow(expect.objectContaining({ code: 'invalid-argument', argument: 'method' }))
  })
})
