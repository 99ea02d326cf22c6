import { describe, expect, it } from 'vitest'
import { kaspaToSompi } from '../../../src/model/amount.js'
import type { FeeRateName } from '../../../src/operations/transactions/plan/fee.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { KAS, alice, utxos } from './accounts.js'
import { create, estimate, pay, planSingle, noSdk } from './planned.js'
import { bucket, createScriptedDependencies } from './scripted-dependencies.js'

/** A node with these rates. */
const withRates = ({ low = 100, normal = 100, priority = 100 }: Partial<Record<FeeRateName, number>>) =>
  createScriptedDependencies(noSdk, {
    getFeeEstimate: () => ({
      estimate: { priorityBucket: bucket(priority), normalBuckets: [bucket(normal)], lowBuckets: [bucket(low)] },
    }),
  })

describe('the fee', () => {
  const entries = utxos([100n * KAS])

  it('is the exact minimum of the node by default', async () => {
    expect(await estimate(pay(10n * KAS, entries))).toEqual({
      fees: 203_600n,
      mass: 2036n,
      transactions: 1,
      finalAmount: 10n * KAS,
    })
  })

  it('excludes storage mass from the minimum, as nodes do', async () => {
    expect(await estimate(pay(KAS / 10n, entries))).toMatchObject({ fees: 203_600n, mass: 100_000n })
  })

  it('counts every byte of a long payload twice, as nodes of 2.x do', async () => {
    expect(await estimate(pay(10n * KAS, entries, { payload: 'ab'.repeat(1405) }))).toMatchObject({ fees: 344_200n })
  })

  it('uses the node’s low bucket where it exceeds the minimum', async () => {
    const deps = withRates({ low: 250.5, priority: 900 })
    expect(await createTransactions(deps).estimate(pay(10n * KAS, entries))).toMatchObject({ fees: 510_018n })
  })

  it('adds the priority fee to the minimum of the final transaction only', async () => {
    expect(await estimate(pay(10n * KAS, entries, { priorityFee: 5n }))).toMatchObject({ fees: 203_605n })
    const many = utxos(Array.from({ length: 100 }, () => KAS))
    const { transactions } = await create(pay(95n * KAS, many, { priorityFee: KAS, maxFee: 2n * KAS }))
    expect(transactions.map(({ fee, mass }) => fee - 100n * mass)).toEqual([0n, KAS])
  })

  it('applies a given rate to the greatest mass of every transaction', async () => {
    expect(await estimate(pay(10n * KAS, entries, { feeRate: 1234.5 }))).toMatchObject({
      fees: 2_513_442n,
      mass: 2036n,
    })
    const { transactions } = await create(
      pay(95n * KAS, utxos(Array.from({ length: 100 }, () => KAS)), { feeRate: 321 }),
    )
    expect(transactions.map(({ fee, mass }) => fee - 321n * mass)).toEqual([0n, 0n])
  })

  it('with a rate includes storage mass, that of the change too', async () => {
    const settings = pay(99n * KAS + KAS / 2n, entries, { feeRate: 100 })
    const { outputs, fee } = await planSingle(settings)
    const { mass } = await estimate(settings)
    expect(fee).toBeGreaterThanOrEqual(100n * mass)
    expect(fee).toBeLessThanOrEqual(100n * mass + 100n)
    expect(outputs).toHaveLength(2)
  })

  it('is never below the relay minimum', async () => {
    expect(await estimate(pay(10n * KAS, entries, { feeRate: 1 }))).toMatchObject({ fees: 203_600n })
  })

  it('makes no calls where the settings define the fee', async () => {
    const deps = createScriptedDependencies(noSdk)
    await createTransactions(deps).create(pay(10n * KAS, entries, { feeRate: 100 }))
    expect(deps.calls).toEqual([])
  })

  it.each([1e16, Infinity, Number.NaN])('is not computed from a rate of %d', async (rate) => {
    const { estimate: estimateThere } = createTransactions(withRates({ low: rate }))
    await expect(estimateThere(pay(KAS, entries))).rejects.toMatchObject({
      code: 'malformed',
      message: `No fee can be computed: the node requires ${rate} sompi per gram`,
    })
  })
})

describe('a fee rate by name', () => {
  const entries = utxos([100n * KAS])
  const rates = { low: 150, normal: 300, priority: 900 }

  it.each([
    ['low', 150],
    ['normal', 300],
    ['priority', 900],
  ] as const)('%s pays the rate of the node’s estimate on the greatest mass', async (feeRate, rate) => {
    const { estimate: estimateThere } = createTransactions(withRates(rates))
    const { fees, mass } = await estimateThere(pay(KAS / 10n, entries, { feeRate }))
    expect(fees).toBeGreaterThanOrEqual(BigInt(rate) * mass)
    expect(fees).toBeLessThan(BigInt(rate + 1) * mass)
  })

  it.each(['low', 'normal', 'priority'] as const)('%s is never below the node’s minimum', async (feeRate) => {
    const { estimate: estimateThere } = createTransactions(withRates({ low: 500, normal: 2, priority: 1 }))
    expect(await estimateThere(pay(10n * KAS, entries, { feeRate }))).toMatchObject({ fees: 500n * 2036n })
  })

  it.each(['none', 'toString'])('is invalid as "%s"', async (feeRate) => {
    await expect(estimate({ ...pay(KAS, entries), feeRate: feeRate as FeeRateName })).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'feeRate',
    })
  })
})

describe('maxFee', () => {
  const entries = utxos([100n * KAS])

  it.each([
    ['the minimum fee', {}],
    ['feeRate', { feeRate: 100 }],
    ['a named feeRate', { feeRate: 'priority' }],
    ['priorityFee', { priorityFee: 0n }],
  ] as const)('bounds %s', async (_, fee) => {
    expect(await estimate(pay(10n * KAS, entries, { ...fee, maxFee: 203_600n }))).toMatchObject({ fees: 203_600n })
    await expect(estimate(pay(10n * KAS, entries, { ...fee, maxFee: 203_599n }))).rejects.toMatchObject({
      code: 'fee-too-high',
      argument: 'maxFee',
      fee: 203_600n,
      maxFee: 203_599n,
      knownMinimum: 100,
    })
  })

  it('bounds all transactions of a plan together, and a consolidation', async () => {
    const many = utxos(Array.from({ length: 100 }, () => KAS))
    const { fees, transactions } = await estimate({ entries: many, changeAddress: alice.address })
    expect(transactions).toBe(2)
    const settings = { entries: many, changeAddress: alice.address, maxFee: fees - 1n }
    await expect(estimate(settings)).rejects.toMatchObject({ code: 'fee-too-high', fee: fees })
  })

  it('is 1 KAS by default for a small plan, also with explicit fees', async () => {
    expect(await estimate(pay(10n * KAS, entries, { priorityFee: KAS - 203_600n }))).toMatchObject({ fees: KAS })
    const error: unknown = await estimate(pay(10n * KAS, entries, { priorityFee: KAS })).catch(
      (cause: unknown) => cause,
    )
    expect(String(error)).toBe(
      'ChainError: The fees are 1.002036 KAS, above the bound of 1 KAS\n' +
        'Hint: To pay that, set maxFee to 100203600n or more; or lower feeRate or priorityFee.',
    )
    await expect(estimate(pay(10n * KAS, entries, { feeRate: 60_000 }))).rejects.toMatchObject({
      code: 'fee-too-high',
      nodeFeeRate: undefined,
    })
  })

  it('is 1,000 sompi per gram by default for a large plan', async () => {
    const many = utxos(Array.from({ length: 200 }, () => 10n * KAS))
    const { mass } = await estimate({ entries: many, changeAddress: alice.address })
    expect(1000n * mass).toBeGreaterThan(KAS)
    expect(await estimate({ entries: many, changeAddress: alice.address, feeRate: 999 })).toMatchObject({ mass })
    await expect(estimate({ entries: many, changeAddress: alice.address, feeRate: 1001 })).rejects.toMatchObject({
      code: 'fee-too-high',
      maxFee: 1000n * mass,
    })
  })

  it('is reported before insufficient funds that the fee alone causes', async () => {
    const { estimate: estimateThere } = createTransactions(withRates({ low: 1e6 }))
    await expect(estimateThere(pay(KAS, utxos([2n * KAS])))).rejects.toMatchObject({
      code: 'fee-too-high',
      nodeFeeRate: 1e6,
    })
  })

  it.each([-1n, 5, 2n ** 64n])('is invalid as %s', async (maxFee) => {
    await expect(estimate({ ...pay(KAS, entries), maxFee: maxFee as bigint })).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'maxFee',
      message: '"maxFee" must be an amount in sompi, as a bigint, zero or more',
    })
  })
})

describe('the smallest payable output', () => {
  it('is that of a real node: 1,999,997 sompi beside change from 100 KAS, and not a sompi less', async () => {
    const entries = utxos([100n * KAS])
    expect(await estimate(pay(1_999_997n, entries))).toMatchObject({ mass: 500_000n })
    await expect(estimate(pay(1_999_996n, entries))).rejects.toMatchObject({
      code: 'mass-exceeded',
      smallest: 1_999_997n,
    })
  })

  it('is 0.02 KAS from a large UTXO, where the builder of SDK 0.15.2 stops at 0.1', async () => {
    await expect(estimate(pay(kaspaToSompi('0.02'), utxos([100n * KAS])))).resolves.toMatchObject({ fees: 203_600n })
  })
})
