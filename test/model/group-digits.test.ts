import { expect, it } from 'vitest'
import { groupDigits } from '../../src/model/amount.js'
import { trimEnd } from '../../src/model/trim-end.js'

it.each([
  ['', ''],
  ['1', '1'],
  ['123', '123'],
  ['-123', '-123'],
  ['1234', '1 234'],
  ['-1234567', '-1 234 567'],
])('groups the digits of %s', (integer, grouped) => {
  expect(groupDigits(integer, ' ')).toBe(grouped)
})

it.each([
  ['', ''],
  ['//', ''],
  ['/a/', '/a'],
  ['a', 'a'],
])('trims the slashes at the end of "%s"', (text, trimmed) => {
  expect(trimEnd(text, '/')).toBe(trimmed)
})
