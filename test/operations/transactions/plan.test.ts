import { describe, expect, it } from 'vitest'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { KAS, bob, coin, coins, scriptAddress } from './people.js'
import { create, pay, outlined, noSdk } from './planned.js'
import { createWorld } from './world.js'

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
