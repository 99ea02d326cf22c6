import { expect, it } from 'vitest'
import { decodeCall } from '../../../src/model/contracts/decode-call.js'
import { dispatchTag } from '../../../src/model/contracts/resolved-type.js'
import { contractOf, named } from './kcc-rejections.js'

/** Arguments as a node reports them. Those that are refused are conformance vectors of KCC-1. */

const POINT = {
  name: 'Point',
  fields: [
    { name: 'id', type: 'byte[2]' },
    { name: 'enabled', type: 'bool' },
  ],
}

const decode = (type: string, pushes: string) => {
  const params = named([type], [POINT])
  const script = `${pushes}04${dispatchTag('call', params)}0151`
  return decodeCall(contractOf([['call', params]]), script)
}

it.each([
  ['int', '51', 1n],
  ['bool', '00', false],
  ['byte', '4f', 0x81],
  ['byte[2]', '02aabb', 'aabb'],
  ['bool[]', '020001', [false, true]],
  [
    'Point[]',
    '04aabbccdd020100',
    [
      { id: 'aabb', enabled: true },
      { id: 'ccdd', enabled: false },
    ],
  ],
])('shows a %s of %s', (type, pushes, value) => {
  expect(decode(type, pushes)).toEqual({ redeemScript: '51', entry: 'call', args: { p0: value } })
})

it.each([
  ['an int with a redundant sign byte', 'int', '020100'],
  ['a negative zero', 'int', '0180'],
  ['an int by a longer push', 'int', '0101'],
  ['a byte without a byte', 'byte', '00'],
  ['a bool of two', 'bool', '52'],
  ['a bool of a zero byte', 'bool', '0100'],
  ['fixed bytes that are too short', 'byte[2]', '01aa'],
  ['a part of an item', 'int[]', '0100'],
  ['fewer items than the type has', 'bool[3]', '020001'],
  ['an item that is no bool', 'bool[]', '020002'],
  ['fields of several lengths', 'Point[]', '04aabbccdd51'],
  ['an argument too many', 'int', '5151'],
])('shows no arguments for %s', (_, type, pushes) => {
  expect(decode(type, pushes)).toEqual({ redeemScript: '51', entry: 'call', args: null })
})
