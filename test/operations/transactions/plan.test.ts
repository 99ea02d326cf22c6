import { describe, expect, it } from 'vitest'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { kaspaToSompi } from '../../../src/model/amount.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { CreateTransactionSettings, PendingTx } from '../../../src/operations/transactions/records.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { followPlan } from './checked-plan.js'
import { KAS, alice, bob, carol, coin, coins, scriptAddress } from './people.js'
import { createWorld } from './world.js'

/** A world without SDK: what is planned here needs none. */
const noSdk = (): never => {
  throw new ChainNotReadyError('test')
}

const world = createWorld(noSdk)
const { create, estimate } = createTransactions(world)

const pay = (
  amount: bigint,
  entries: readonly UtxoEntry[],
  more: Partial<CreateTransactionSettings> = {},
): CreateTransactionSettings => ({
  entries,
  outputs: [{ address: bob.address, amount }],
  changeAddress: alice.address,
  ...more,
})

/** What a plan of one transaction spends and makes, in sompi, and its fee. */
async function outlined(
  settings: CreateTransactionSettings,
): Promise<{ inputs: bigint[]; outputs: bigint[]; fee: bigint }> {
  const created = await create(settings)
  const [seen, ...others] = followPlan(settings.entries, created)
  if (seen === undefined || others.length > 0) throw new Error('not one transaction')
  return {
    inputs: seen.spent.map((each) => each.amount),
    outputs: seen.transaction.outputs.map(({ value }) => value),
    fee: seen.fee,
  }
}

const inputCount = (transaction: PendingTx | undefined): number => transaction?.serialize().inputs.length ?? 0

describe('the coins of a payment', () => {
  it('are one where one is enough, and the smallest that is', async () => {
    const { inputs, outputs, fee } = await outlined(pay(10n * KAS, coins([5n * KAS, 400n * KAS, 11n * KAS, 12n * KAS])))
    expect(inputs).toEqual([11n * KAS])
    expect(outputs).toEqual([10n * KAS, KAS - fee])
  })

  it('are the largest where more are needed, completed by the smallest that will do', async () => {
    const { inputs } = await outlined(pay(15n * KAS, coins([1n, 2n, 4n, 6n, 9n, 10n].map((each) => each * KAS))))
    expect(inputs).toEqual([10n * KAS, 6n * KAS])
  })

  it('are whichever will do where there are few: no choice of them is left out before a payment is refused', async () => {
    const amounts = [300_000n, 300_000n, 994_703_587n, 1_999_028_312n, 937_595n, 15_267_388n]
    const outputs = [933_340_041n, 1_959_236n].map((amount) => ({ address: bob.address, amount }))
    const { inputs } = await outlined(pay(0n, coins(amounts), { outputs, feeRate: 0 }))
    expect(inputs).toEqual([1_999_028_312n, 15_267_388n, 937_595n, 300_000n, 300_000n])
  })

  it('are others where the change would be too small for an output', async () => {
    const nearly = 10n * KAS + 1_000_000n
    const { inputs, outputs } = await outlined(pay(10n * KAS, coins([nearly, 14n * KAS, 20n * KAS])))
    expect(inputs).toEqual([14n * KAS])
    expect(outputs).toHaveLength(2)
  })

  it('leave no change that would cost more to spend than it holds', async () => {
    const { outputs, fee } = await outlined(pay(10n * KAS, coins([10n * KAS + 162_400n + 111_800n])))
    expect(outputs).toEqual([10n * KAS])
    expect(fee).toBe(162_400n + 111_800n)
  })

  it('leave to the fee what no output could hold, where there are no others', async () => {
    const { outputs, fee } = await outlined(pay(10n * KAS, coins([10n * KAS + 1_000_000n])))
    expect(outputs).toEqual([10n * KAS])
    expect(fee).toBe(1_000_000n)
  })

  it('are small ones where small inputs alone make a small output possible', async () => {
    const { inputs, outputs } = await outlined(pay(1_000_000n, coins([100n * KAS, 1_250_000n])))
    expect(inputs).toEqual([1_250_000n])
    expect(outputs).toEqual([1_000_000n])
  })

  it('are neither unripe, bound by a covenant, held by a script, nor reserved', async () => {
    const entries = [
      coin(500n * KAS, 0, { isCoinbase: true, blockDaaScore: 1001n }),
      coin(400n * KAS, 1, { covenantId: 'cc'.repeat(32) }),
      coin(300n * KAS, 2, { address: scriptAddress }),
      coin(200n * KAS, 3),
      coin(100n * KAS, 4, { isCoinbase: true, blockDaaScore: 1000n }),
    ]
    const elsewhere = createWorld(noSdk)
    elsewhere.reservations.reserve([coin(0n, 3).outpoint])
    const { transactions } = await createTransactions(elsewhere).create(pay(10n * KAS, entries))
    expect(transactions[0]?.serialize().inputs.map(({ previousOutpoint }) => previousOutpoint)).toEqual([
      entries[4]?.outpoint,
    ])
  })

  it('are spent once, even if they are offered twice', async () => {
    const [one] = coins([10n * KAS])
    if (one === undefined) throw new Error('a coin')
    await expect(create(pay(15n * KAS, [one, { ...one }]))).rejects.toMatchObject({
      code: 'insufficient-funds',
      spendable: 10n * KAS,
    })
  })
})

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

describe('a payment from many coins', () => {
  const hundred = coins(Array.from({ length: 100 }, (_, at) => KAS + BigInt(at)))

  it('moves some together first, and only as many as it must', async () => {
    const created = await create(pay(95n * KAS, hundred))
    expect(created.summary.transactions).toBe(2)
    const [first, last] = created.transactions
    expect(inputCount(first)).toBe(88)
    expect(first?.serialize().outputs).toHaveLength(1)
    expect(last?.serialize().inputs.at(-1)?.previousOutpoint).toEqual({ transactionId: first?.id, index: 0 })
    followPlan(hundred, created)
  })

  it('moves them to their own owner, who must sign again, even if the change goes to somebody else', async () => {
    const { transactions } = await create(pay(95n * KAS, hundred, { changeAddress: carol.address }))
    expect(transactions.map((each) => each.addresses())).toEqual([[alice.address], [alice.address]])
  })

  it('carries its payload in the final transaction alone', async () => {
    const { transactions } = await create(pay(95n * KAS, hundred, { payload: 'C0FFEE' }))
    expect(transactions.map((each) => each.serialize().payload)).toEqual(['', 'c0ffee'])
  })

  it('needs a second generation only for thousands, in which what was moved is moved again', async () => {
    const entries = coins(Array.from({ length: 8000 }, () => KAS))
    const created = await create({ entries, changeAddress: alice.address })
    const seen = followPlan(entries, created)
    const made = new Set(created.transactions.map(({ id }) => id))
    const generations = seen.map(({ transaction }) =>
      transaction.inputs.every(({ previousOutpoint }) => !made.has(previousOutpoint.transactionId)),
    )
    expect(generations.filter(Boolean)).toHaveLength(90)
    expect(created.summary.transactions).toBe(92)
  })
})

describe('without recipients', () => {
  it('all coins become one, which is the final amount', async () => {
    const entries = coins([KAS, 2n * KAS, 3n * KAS])
    const { inputs, outputs, fee } = await outlined({ entries, changeAddress: alice.address })
    expect(inputs).toHaveLength(3)
    expect(outputs).toEqual([6n * KAS - fee])
    expect(await estimate({ entries, changeAddress: alice.address, outputs: [] })).toMatchObject({
      fees: fee,
      finalAmount: 6n * KAS - fee,
    })
  })

  it('coins that cost more to spend than they hold are left where they are', async () => {
    const { inputs } = await outlined({ entries: coins([KAS, 113_000n]), changeAddress: alice.address })
    expect(inputs).toEqual([KAS])
  })

  it('everything can be sent to somebody else, however many coins it takes', async () => {
    const entries = coins(Array.from({ length: 200 }, () => KAS))
    const { transactions } = await create({ entries, changeAddress: bob.address })
    expect(transactions.map((each) => each.addresses())).toEqual([[alice.address], [alice.address], [alice.address]])
    expect(transactions.at(-1)?.serialize().outputs).toHaveLength(1)
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

describe('a created transaction', () => {
  it('spends each coin at once, however young, and commits to its storage mass', async () => {
    const { transactions } = await create(pay(KAS / 10n, coins([100n * KAS])))
    const serialized = transactions[0]?.serialize()
    expect(serialized?.inputs.map(({ sequence, sigOpCount }) => [sequence, sigOpCount])).toEqual([['0', 1]])
    expect(serialized?.mass).toBe('100000')
  })

  it('serialises to plain JSON', async () => {
    const { transactions } = await create(pay(KAS, coins([100n * KAS])))
    const serialized = transactions[0]?.serialize()
    expect(JSON.parse(JSON.stringify(serialized))).toEqual(serialized)
  })
})
