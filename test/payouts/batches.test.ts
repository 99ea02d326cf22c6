import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { addressVersionOf } from '../../src/model/address.js'
import { storageOf } from '../../src/model/mass.js'
import { nextBatch, outputMass, type BatchItem, splitChange } from '../../src/operations/payouts/payout-batch.js'
import { covered } from '../../src/payouts/batch-signer.js'
import { runs } from '../full.js'
import { KAS, openRecipients } from './support/queue.js'

let address: string
beforeAll(async () => {
  address = (await openRecipients()).address(0)
})

const LIMITS = { maxOutputs: 200, maxStorageMass: 450_000n }
const item = (id: number, amount: bigint): BatchItem => ({ id: String(id), address, amount })
const many = (count: number, amount: bigint) => Array.from({ length: count }, (_, id) => item(id, amount))
const idsOf = (items: readonly BatchItem[]) => items.map(({ id }) => id)

describe('outputMass', () => {
  it('is that of the script of each form of an address', () => {
    const key = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
    for (const [opening, closing] of [
      ['20', 'ac'],
      ['2102', 'ab'],
      ['aa20', '87'],
    ] as const) {
      const scriptPublicKey = { version: 0, script: `${opening}${key}${closing}` }
      expect(addressVersionOf(scriptPublicKey)).toBeDefined()
      expect(storageOf({ amount: 7n * KAS, scriptPublicKey }).harmonic).toBe(outputMass({ amount: 7n * KAS }))
    }
  })
})

describe('nextBatch', () => {
  it.each([
    [KAS / 5n, 9],
    [KAS, 45],
    [2n * KAS, 90],
    [20n * KAS, 200],
  ])('takes as many payments of %d sompi as storage mass and outputs allow: %d', (amount, count) => {
    expect(nextBatch(many(300, amount), LIMITS).items).toHaveLength(count)
  })

  it('leaves a small payment out for those behind it, in ten batches at most', () => {
    const small = item(1, KAS / 40n) // 400,000 grams
    const head = (id: number) => item(id, KAS / 10n) // 100,000 grams
    let skips: ReadonlyMap<string, number> = new Map()
    for (let batch = 0; batch < 10; batch++) {
      const next = nextBatch([head(100 + batch), small, item(2, 50n * KAS)], LIMITS, skips)
      expect(idsOf(next.items)).toEqual([String(100 + batch), '2'])
      skips = next.skips
    }
    expect(idsOf(nextBatch([head(200), small, item(2, 50n * KAS)], LIMITS, skips).items)).toEqual(['200'])
    expect(idsOf(nextBatch([small, item(2, 50n * KAS)], LIMITS, skips).items)).toEqual(['1', '2'])
  })

  it('pays one that alone exceeds the limit of a batch', () => {
    expect(idsOf(nextBatch([item(1, 2_100_000n), item(2, KAS)], LIMITS).items)).toEqual(['1'])
  })

  it('always pays the oldest, within the limits, in the order of the queue', () => {
    const amounts = fc.array(fc.bigInt(2_100_000n, 500n * KAS), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(amounts, (given) => {
        const queue = given.map((amount, id) => item(id, amount))
        const { items } = nextBatch(queue, LIMITS)
        expect(items[0]).toBe(queue[0])
        expect(items.length).toBeLessThanOrEqual(200)
        const mass = items.reduce((sum, each) => sum + outputMass(each), 0n)
        expect(items.length === 1 || mass <= 450_000n).toBe(true)
        expect(queue.filter((each) => items.includes(each))).toEqual(items)
      }),
      { numRuns: runs(50) },
    )
  })
})

describe('splitChange', () => {
  const FEE = KAS / 10n // what further outputs add to the fee, at most

  it('divides change where the wallet has fewer than half of its UTXOs', () => {
    const change = 1_000n * KAS + FEE
    expect(splitChange(change, { splitTo: 10, others: 0, paid: KAS })).toEqual(Array(9).fill(100n * KAS))
    expect(splitChange(change, { splitTo: 10, others: 5, paid: KAS })).toEqual([])
  })

  it('leaves each part, after the fee, 20 KAS and 20 times the batch', () => {
    expect(splitChange(69n * KAS + FEE, { splitTo: 10, others: 0, paid: KAS })).toEqual(Array(2).fill(23n * KAS))
    expect(splitChange(690n * KAS + FEE, { splitTo: 10, others: 0, paid: 10n * KAS })).toEqual(
      Array(2).fill(230n * KAS),
    )
    expect(splitChange(40n * KAS, { splitTo: 10, others: 0, paid: 1n })).toEqual([])
    expect(splitChange(40n * KAS + FEE, { splitTo: 10, others: 0, paid: 1n })).toEqual([20n * KAS])
  })
})

describe('covered', () => {
  const amounts = [5n * KAS, 4n * KAS, 3n * KAS, 2n * KAS].map((amount) => ({ amount }))

  it('leaves out the newest payments that are worth what is missing', () => {
    expect(covered(amounts, KAS)).toHaveLength(3)
    expect(covered(amounts, 4n * KAS)).toHaveLength(2)
  })

  it('keeps the oldest, and never all', () => {
    expect(covered(amounts, 1_000n * KAS)).toHaveLength(1)
    expect(covered(amounts, -5n * KAS)).toHaveLength(3)
  })
})
