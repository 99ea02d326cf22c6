import { expect, it } from 'vitest'
import { createRandom } from '../../../src/devnode/random.js'
import { SetIndex } from '../../../src/streams/utxos/set-index.js'

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
