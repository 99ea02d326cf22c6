import { describe, expect, it } from 'vitest'
import { kaspaToSompi } from '../../../src/model/amount.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { KAS, coins } from './people.js'
import { create, estimate, pay, outlined, noSdk } from './planned.js'
import { createWorld } from './world.js'

describe('the fee', () => {
  const entries = coins([100n * KAS])

  it('is the node’s minimum, to the sompi, unless something else is asked for', async () => {
    expect(await estimate(pay(10n * KAS, entries))).toEqual({
      fees: 203_600n,
      mass: 2036n,
      transactions: 1,
      finalAmount: 10n * KAS,
    })
  })

  it('leaves storage mass out of the minimum, as nodes do', async () => {
    expect(await estimate(pay(KAS / 10n, entries))).toMatchObject({ fees: 203_600n, mass: 100_000n })
  })

  it('counts every byte of a long payload twice, as nodes of 2.x do', async () => {
    expect(await estimate(pay(10n * KAS, entries, { payload: 'ab'.repeat(1405) }))).toMatchObject({ fees: 344_200n })
  })

  it('follows the node’s low bucket where the network is busy', async () => {
    const busy = createWorld(noSdk, {
      getFeeEstimate: () => ({
        estimate: {
          priorityBucket: { feerate: 900, estimatedSeconds: 1 },
          normalBuckets: [],
          lowBuckets: [{ feerate: 250.5, estimatedSeconds: 60 }],
        },
      }),
    })
    expect(await createTransactions(busy).estimate(pay(10n * KAS, entries))).toMatchObject({ fees: 510_018n })
  })

  it('is the minimum and the priority fee together, the latter on the final transaction alone', async () => {
    expect(await estimate(pay(10n * KAS, entries, { priorityFee: 5n }))).toMatchObject({ fees: 203_605n })
    const many = coins(Array.from({ length: 100 }, () => KAS))
    const { transactions } = await create(pay(95n * KAS, many, { priorityFee: KAS }))
    expect(transactions.map(({ fee, mass }) => fee - 100n * mass)).toEqual([0n, KAS])
  })

  it('is the rate on every mass, where a rate is given, in every transaction', async () => {
    expect(await estimate(pay(10n * KAS, entries, { feeRate: 1234.5 }))).toMatchObject({
      fees: 2_513_442n,
      mass: 2036n,
    })
    const { transactions } = await create(
      pay(95n * KAS, coins(Array.from({ length: 100 }, () => KAS)), { feeRate: 321 }),
    )
    expect(transactions.map(({ fee, mass }) => fee - 321n * mass)).toEqual([0n, 0n])
  })

  it('of a rate pays for storage mass too, that of the change included', async () => {
    const settings = pay(99n * KAS + KAS / 2n, entries, { feeRate: 100 })
    const { outputs, fee } = await outlined(settings)
    const { mass } = await estimate(settings)
    expect(fee).toBeGreaterThanOrEqual(100n * mass)
    expect(fee).toBeLessThanOrEqual(100n * mass + 100n)
    expect(outputs).toHaveLength(2)
  })

  it('is never below what nodes take, whatever the rate', async () => {
    expect(await estimate(pay(10n * KAS, entries, { feeRate: 1 }))).toMatchObject({ fees: 203_600n })
  })

  it('asks the node for nothing where the settings say it all', async () => {
    const silent = createWorld(noSdk)
    await createTransactions(silent).create(pay(10n * KAS, entries, { feeRate: 100 }))
    expect(silent.calls).toEqual([])
  })

  it('is not what a node demands that wants all', async () => {
    const greedy = createWorld(noSdk, {
      getFeeEstimate: () => ({
        estimate: {
          priorityBucket: { feerate: 1e6, estimatedSeconds: 1 },
          normalBuckets: [],
          lowBuckets: [{ feerate: 1e6, estimatedSeconds: 1 }],
        },
      }),
    })
    await expect(createTransactions(greedy).estimate(pay(KAS, entries))).rejects.toMatchObject({
      code: 'invalid-data',
      message: 'The node asks for 1000000 sompi per gram',
    })
  })
})

describe('the smallest payable output', () => {
  it('is what a real node takes: 1,999,997 sompi next to change from 100 KAS, and not a sompi less', async () => {
    const entries = coins([100n * KAS])
    expect(await estimate(pay(1_999_997n, entries))).toMatchObject({ mass: 500_000n })
    await expect(estimate(pay(1_999_996n, entries))).rejects.toMatchObject({
      code: 'mass-exceeded',
      smallest: 1_999_997n,
    })
  })

  it('is 0.02 KAS from a large coin, where the builder of SDK 0.15.2 stops at 0.1', async () => {
    await expect(estimate(pay(kaspaToSompi('0.02'), coins([100n * KAS])))).resolves.toMatchObject({ fees: 203_600n })
  })
})
