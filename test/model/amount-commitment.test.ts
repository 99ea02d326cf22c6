import { describe, expect, it } from 'vitest'
import {
  amountsDigest,
  areAmountsCommitted,
  commitAmounts,
  type CommittedInput,
} from '../../src/model/amount-commitment.js'

const input = (transactionId: string, index: number, amount: bigint): CommittedInput => ({
  outpoint: { transactionId, index },
  amount,
})

/** Computed by hashlib of Python 3.11: `blake2b(message, digest_size=32, key=b'AmountCommitment')`. */
const VECTORS = [
  {
    inputs: [input('11'.repeat(32), 0, 100_000_000_000n), input('22'.repeat(32), 1, 50_000_000_000n)],
    sequences: [15034775536900164630n, 13976568113446061303n],
    digest: 'e5f84002b276ce1f1b24b0751a388942c54a8a3360f7413144456d3d89598879',
  },
  {
    inputs: [input('11'.repeat(32), 0, 80_000_000_000n), input('22'.repeat(32), 1, 70_000_000_000n)],
    sequences: [17977861449156506215n, 9697194475836917598n],
    digest: 'c5a1b856cc9f27dbcf61389d2cce002ab18ad65ffeb90677b18c3b1eb77e6509',
  },
  {
    inputs: [
      input('00'.repeat(32), 0, 1n),
      input('ff'.repeat(32), 2 ** 32 - 1, 2_900_000_000_000_000_000n),
      input('0123456789abcdef'.repeat(4), 7, 2n ** 53n + 1n),
    ],
    sequences: [10249242844050895852n, 11667212725528319287n, 17931349410572277877n],
    digest: '7b3a5dc55ef49775062a0db56ed52e4b454441bd43738bbc7fb7c312f7809353',
  },
]

describe('the commitment to amounts', () => {
  it.each(VECTORS)('equals the vector of $digest', ({ inputs, sequences, digest }) => {
    expect(commitAmounts(inputs)).toEqual(sequences)
    expect(amountsDigest(inputs)).toBe(digest)
    expect(areAmountsCommitted(sequences, inputs)).toBe(true)
  })

  it('sets no relative lock time, and is 0 for one input', () => {
    for (const { inputs } of VECTORS) expect(commitAmounts(inputs).every((each) => each >> 63n === 1n)).toBe(true)
    const [single] = VECTORS[0]?.inputs ?? []
    expect(commitAmounts(single === undefined ? [] : [single])).toEqual([0n])
    expect(commitAmounts([])).toEqual([])
  })

  it('differs with each amount, outpoint, and order', () => {
    const { inputs, sequences } = VECTORS[2] ?? never()
    const changed = inputs.flatMap((each, at) => [
      inputs.map((other) => (other === each ? { ...each, amount: each.amount + 1n } : other)),
      inputs.map((other) => (other === each ? input(each.outpoint.transactionId, at + 9, each.amount) : other)),
    ])
    for (const others of [...changed, [...inputs].reverse(), inputs.slice(1)]) {
      const other = commitAmounts(others)
      expect(other.filter((each) => sequences.includes(each))).toEqual([])
      expect(areAmountsCommitted(sequences, others)).toBe(false)
      expect(areAmountsCommitted(other, others)).toBe(true)
    }
  })

  it('is claimed by the first four sequences that have to commit, each of which covers all amounts', () => {
    const inputs = Array.from({ length: 8 }, (_, at) => input('33'.repeat(32), at, BigInt(at + 1)))
    const sequences = commitAmounts(inputs)
    const without = (position: number) => sequences.map((sequence, at) => (at === position ? sequence ^ 1n : sequence))
    const commits = ({ outpoint }: CommittedInput): boolean => outpoint.index !== 1
    const positions = [...inputs.keys()]
    expect(positions.filter((at) => areAmountsCommitted(without(at), inputs))).toEqual([4, 5, 6, 7])
    expect(positions.filter((at) => areAmountsCommitted(without(at), inputs, commits))).toEqual([1, 5, 6, 7])
    for (const at of positions) {
      const others = inputs.map((each, position) => (position === at ? { ...each, amount: 99n } : each))
      expect(areAmountsCommitted(sequences, others)).toBe(false)
    }
  })

  it('is not claimed for sequences of other software', () => {
    const { inputs, sequences } = VECTORS[0] ?? never()
    expect(areAmountsCommitted([0n, 0n], inputs)).toBe(false)
    expect(areAmountsCommitted([...sequences].reverse(), inputs)).toBe(false)
    expect(areAmountsCommitted([], [])).toBe(true)
    expect(areAmountsCommitted([5n], inputs.slice(1))).toBe(true)
  })

  it('differs for the two bundles of one id that a node takes together (fixtures of co-signing)', () => {
    const id = 'c6a32043bed48c3f1f0719d79e242d8761242a2bdeb01777edfe8e9f80bbc528'
    const [first, second] = [
      [1_000_000_000n, 1_000_000n],
      [1_000_000n, 1_000_000_000n],
    ].map((amounts) => commitAmounts(amounts.map((amount, at) => input(id, at + 1, amount))))
    expect(first).toHaveLength(2)
    expect(second?.some((sequence) => first?.includes(sequence))).toBe(false)
  })
})

function never(): never {
  throw new Error('There is a vector')
}
