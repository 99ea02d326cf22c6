import { expect, it } from 'vitest'
import { HashTable } from '../../../../src/streams/utxos/store/hash-table.js'

const numbersOf = (table: HashTable, hash: number): number[] => {
  const numbers: number[] = []
  for (let position = table.first(hash); position >= 0; position = table.next(position))
    numbers.push(table.numberAt(position))
  return numbers.sort((a, b) => a - b)
}

it('adds many hashes up to the first that it has, numbered alike or one by one', () => {
  const hashes = Int32Array.of(5, -5, 13, 5, 21)
  const [alike, each] = [new HashTable(), new HashTable()]
  for (const table of [alike, each]) table.reserve(hashes.length)
  expect(alike.addNew(hashes, 0, 7, 0)).toBe(3)
  expect(each.addNew(hashes, 0, 7, 1)).toBe(3)
  expect([5, -5, 13, 21].map((hash) => numbersOf(alike, hash))).toEqual([[7], [7], [7], []])
  expect([5, -5, 13, 21].map((hash) => numbersOf(each, hash))).toEqual([[7], [8], [9], []])
  each.add(5, 10)
  expect(each.addNew(hashes, 4, 7, 1)).toBe(5)
  expect(numbersOf(each, 5)).toEqual([7, 10])
  expect(numbersOf(each, 21)).toEqual([11])
  expect([alike.size, each.size]).toEqual([3, 5])
})

it('copies the hash of each number, and finds the remaining ones after a removal of neighbours', () => {
  const table = new HashTable()
  const hashes = Int32Array.from({ length: 100 }, (_, n) => (n % 10) * 8 - 16)
  hashes.forEach((hash, number) => table.add(hash, number))
  const copied = new Int32Array(100)
  table.copyHashes(copied)
  expect(copied).toEqual(hashes)
  for (let number = 0; number < 100; number += 2) {
    let position = table.first(hashes[number]!)
    while (table.numberAt(position) !== number) position = table.next(position)
    table.removeAt(position)
  }
  expect(table.size).toBe(50)
  for (let number = 0; number < 100; number++)
    expect(numbersOf(table, hashes[number]!).includes(number)).toBe(number % 2 === 1)
})
