import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NONE_BURIED, bury, isBuried, type Buried } from '../../../src/streams/acceptance/buried.js'
import { MEMORY } from '../../../src/streams/acceptance/chain.js'

const hash = (n: number): string => `block ${n}`
const blocks = (first: number, count: number): string[] => Array.from({ length: count }, (_, n) => hash(first + n))
const sizeOf = ({ latest, earlier }: Buried): number => latest.size + earlier.size

/** A memory into which blocks were laid one by one. */
const filled = (count: number): Buried => blocks(0, count).reduce((buried, one) => bury(buried, [one]), NONE_BURIED)

describe('blocks that have left the chain', () => {
  it('are remembered until they come back to it', () => {
    const everyone = Array.from({ length: 121 }, (_, n) => n)
    const step = fc.record({
      left: fc.array(fc.nat(120), { maxLength: 50 }),
      back: fc.array(fc.nat(120), { maxLength: 4 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const model = new Set<number>()
        let buried = NONE_BURIED
        for (const { left, back } of steps) {
          buried = bury(
            buried,
            left.map(hash),
            back.map((n) => ({ hash: hash(n) })),
          )
          for (const n of left) model.add(n)
          for (const n of back) model.delete(n)
          const known = everyone.filter((n) => isBuried(buried, hash(n)))
          expect(known).toEqual(everyone.filter((n) => model.has(n)))
        }
      }),
    )
  })

  it('are remembered a thousand at least, and not for ever', () => {
    const buried = filled(3 * MEMORY)
    for (const one of blocks(2 * MEMORY, MEMORY)) expect(isBuried(buried, one), one).toBe(true)
    expect(sizeOf(buried)).toBeLessThan(MEMORY + 50)
  })

  it('cost what they are many, not what is remembered: a long memory is rarely copied', () => {
    let buried = filled(MEMORY)
    let copies = 0
    for (const one of blocks(MEMORY, 330)) {
      const next = bury(buried, [one])
      if (next.earlier !== buried.earlier) copies++
      buried = next
    }
    expect(copies).toBe(10)
  })

  it('are the very same where nothing has left and nothing has come back', () => {
    const buried = filled(5)
    expect(bury(buried, [], [{ hash: hash(9) }])).toBe(buried)
  })

  it('leave what was remembered before as it was', () => {
    const before = filled(40)
    bury(before, blocks(100, 60), [{ hash: hash(1) }, { hash: hash(39) }])
    expect(blocks(0, 41).map((one) => isBuried(before, one))).toEqual([...Array<boolean>(40).fill(true), false])
  })
})
