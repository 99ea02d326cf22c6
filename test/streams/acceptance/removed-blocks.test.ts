import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  NO_REMOVED_BLOCKS,
  recordRemoved,
  isRemoved,
  type RemovedBlocks,
} from '../../../src/streams/acceptance/removed-blocks.js'
import { MAX_CHAIN_BLOCKS } from '../../../src/streams/acceptance/chain.js'

const hash = (n: number): string => `block ${n}`
const blocks = (first: number, count: number): string[] => Array.from({ length: count }, (_, n) => hash(first + n))
const sizeOf = ({ latest, earlier }: RemovedBlocks): number => latest.size + earlier.size

/** Removed blocks, added one by one. */
const filledWith = (count: number): RemovedBlocks =>
  blocks(0, count).reduce((removed, one) => recordRemoved(removed, [one]), NO_REMOVED_BLOCKS)

describe('removed blocks', () => {
  it('are remembered until they rejoin the chain', () => {
    const candidates = Array.from({ length: 121 }, (_, n) => n)
    const status = fc.record({
      left: fc.array(fc.nat(120), { maxLength: 50 }),
      rejoined: fc.array(fc.nat(120), { maxLength: 4 }),
    })
    fc.assert(
      fc.property(fc.array(status, { maxLength: 30 }), (steps) => {
        const model = new Set<number>()
        let removed = NO_REMOVED_BLOCKS
        for (const { left, rejoined } of steps) {
          removed = recordRemoved(
            removed,
            left.map(hash),
            rejoined.map((n) => ({ hash: hash(n) })),
          )
          for (const n of left) model.add(n)
          for (const n of rejoined) model.delete(n)
          const known = candidates.filter((n) => isRemoved(removed, hash(n)))
          expect(known).toEqual(candidates.filter((n) => model.has(n)))
        }
      }),
    )
  })

  it('are remembered a thousand at least, and pruned beyond', () => {
    const removed = filledWith(3 * MAX_CHAIN_BLOCKS)
    for (const one of blocks(2 * MAX_CHAIN_BLOCKS, MAX_CHAIN_BLOCKS)) expect(isRemoved(removed, one), one).toBe(true)
    expect(sizeOf(removed)).toBeLessThan(MAX_CHAIN_BLOCKS + 50)
  })

  it('copy the large set rarely', () => {
    let removed = filledWith(MAX_CHAIN_BLOCKS)
    let copies = 0
    for (const one of blocks(MAX_CHAIN_BLOCKS, 330)) {
      const next = recordRemoved(removed, [one])
      if (next.earlier !== removed.earlier) copies++
      removed = next
    }
    expect(copies).toBe(10)
  })

  it('are the same object where nothing changes', () => {
    const removed = filledWith(5)
    expect(recordRemoved(removed, [], [{ hash: hash(9) }])).toBe(removed)
  })

  it('are not mutated by an update', () => {
    const before = filledWith(40)
    recordRemoved(before, blocks(100, 60), [{ hash: hash(1) }, { hash: hash(39) }])
    expect(blocks(0, 41).map((one) => isRemoved(before, one))).toEqual([...Array<boolean>(40).fill(true), false])
  })
})
