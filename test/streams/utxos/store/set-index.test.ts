import { expect, it } from 'vitest'
import { createRandom } from '../../../../src/devnode/machine.js'
import { SetIndex } from '../../../../src/streams/utxos/store/outpoint-map.js'

it('behaves as a map of sets, while it grows and shrinks, also where hashes are equal', () => {
  const random = createRandom(7)
  const below = (count: number): number => Math.floor(random() * count)
  const index = new SetIndex()
  const expected = new Map<number, Set<number>>()
  for (let step = 0; step < 60_000; step++) {
    const hash = Math.imul(below(6_000), 0x9e37_79b1) & (step % 3 === 0 ? 0xffff : -1)
    const set = below(4)
    const known = expected.get(hash) ?? new Set()
    expected.set(hash, known)
    const isShrinking = Math.floor(step / 15_000) % 2 === 1
    if (random() < (isShrinking ? 0.9 : 0.3)) {
      index.release(hash, set)
      known.delete(set)
      continue
    }
    const others = [...known].filter((each) => each !== set)
    const compared: number[] = []
    const found = index.claim(hash, set, (other) => {
      compared.push(other)
      return other === 3
    })
    expect(others).toEqual(expect.arrayContaining(compared))
    expect(found).toBe(others.includes(3) ? 3 : -1)
    if (found < 0) {
      expect(new Set(compared)).toEqual(new Set(others))
      known.add(set)
    }
  }
})

it('claims many outpoints as it claims one after the other', () => {
  const random = createRandom(8)
  const [many, single] = [new SetIndex(), new SetIndex()]
  for (let set = 0; set < 50; set++) {
    const hashes = Int32Array.from({ length: 200 }, () => Math.imul(Math.floor(random() * 8_000), 0x9e37_79b1))
    const hasRow = (row: number, other: number): boolean => (row + other) % 2 === 0
    const refused = many.claimRows(hashes, set, hasRow)
    const expected = [...hashes.keys()].filter(
      (row) => single.claim(hashes[row] ?? 0, set, (other) => hasRow(row, other)) >= 0,
    )
    expect(refused).toEqual(expected)
  }
  const compared = (index: SetIndex, hash: number): number[] => {
    const sets: number[] = []
    index.claim(hash, 50, (other) => sets.push(other) < 0)
    return sets.sort((a, b) => a - b)
  }
  for (let value = 0; value < 8_000; value++) {
    const hash = Math.imul(value, 0x9e37_79b1)
    expect(compared(many, hash)).toEqual(compared(single, hash))
  }
})
