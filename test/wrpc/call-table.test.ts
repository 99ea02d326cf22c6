import { expect, it } from 'vitest'
import { createCallTable } from '../../src/wrpc/pending-calls.js'

it('finds values by id until they are deleted', () => {
  const table = createCallTable<string>()
  table.set(1n, 'one')
  table.set(2n, 'two')
  table.delete(1n)
  expect([table.get(1n), table.get(2n), table.get(3n)]).toEqual([undefined, 'two', undefined])
})

it('finds a value that outlives thousands of later ids', () => {
  const table = createCallTable<string>()
  table.set(1n, 'first')
  for (let id = 2n; id < 5_000n; id++) {
    table.set(id, 'later')
    table.delete(id)
  }
  expect(table.get(1n)).toBe('first')
  table.delete(1n)
  expect([table.get(1n), table.values()]).toEqual([undefined, []])
})

it('finds none by an id that shares the slot of another one', () => {
  const table = createCallTable<string>()
  table.set(5n, 'five')
  table.delete(5n + 64n)
  expect([table.get(5n + 64n), table.get(5n), table.get(5n + 2n ** 64n - 64n)]).toEqual([undefined, 'five', undefined])
})

it('lists each value once, in the order of their ids', () => {
  const table = createCallTable<number>()
  const ids = Array.from({ length: 200 }, (_, at) => at + 1)
  for (const id of ids) table.set(BigInt(id), id)
  expect(table.values()).toEqual(ids)
})
