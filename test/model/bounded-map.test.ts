import { expect, it } from 'vitest'
import { BoundedMap } from '../../src/model/bounded-collections.js'

it('keeps the newest entries, oldest first', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('c', 3)
  expect([map.size, [...map.values()], map.has('a'), map.get('b')]).toEqual([2, [2, 3], false, 2])
})

it('takes an entry that is set again for the newest', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 4)
  map.set('c', 3)
  expect([map.has('b'), map.get('a'), map.get('c')]).toEqual([false, 4, 3])
})
