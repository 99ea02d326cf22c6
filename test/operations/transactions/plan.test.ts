import { describe, expect, it } from 'vitest'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { KAS, bob, utxo, utxos, scriptAddress } from './accounts.js'
import { followPlan } from './checked-plan.js'
import { create, pay, planSingle, noSdk } from './planned.js'
import { createScriptedDependencies } from './scripted-dependencies.js'

describe('coin selection of a payment', () => {
  it('selects the smallest single UTXO that suffices', async () => {
    const { inputs, outputs, fee } = await planSingle(
      pay(10n * KAS, utxos([5n * KAS, 400n * KAS, 11n * KAS, 12n * KAS])),
    )
    expect(inputs).toEqual([11n * KAS])
    expect(outputs).toEqual([10n * KAS, KAS - fee])
  })

  it('selects the largest UTXOs, completed by the smallest that suffices', async () => {
    const { inputs } = await planSingle(pay(15n * KAS, utxos([1n, 2n, 4n, 6n, 9n, 10n].map((each) => each * KAS))))
    expect(inputs).toEqual([10n * KAS, 6n * KAS])
  })

  it('tries all subsets of a few UTXOs', async () => {
    const amounts = [300_000n, 300_000n, 994_703_587n, 1_999_028_312n, 937_595n, 15_267_388n]
    const outputs = [933_340_041n, 1_959_236n].map((amount) => ({ address: bob.address, amount }))
    const { inputs } = await planSingle(pay(0n, utxos(amounts), { outputs, feeRate: 0 }))
    expect(inputs).toEqual([1_999_028_312n, 15_267_388n, 937_595n, 300_000n, 300_000n])
  })

  it('selects another UTXO where the change would be too small', async () => {
    const nearly = 10n * KAS + 1_000_000n
    const { inputs, outputs } = await planSingle(pay(10n * KAS, utxos([nearly, 14n * KAS, 20n * KAS])))
    expect(inputs).toEqual([14n * KAS])
    expect(outputs).toHaveLength(2)
  })

  it('creates no change below its cost of spending', async () => {
    const { outputs, fee } = await planSingle(pay(10n * KAS, utxos([10n * KAS + 162_400n + 111_800n])))
    expect(outputs).toEqual([10n * KAS])
    expect(fee).toBe(162_400n + 111_800n)
  })

  it('adds unusable change to the fee where no other UTXO exists', async () => {
    const { outputs, fee } = await planSingle(pay(10n * KAS, utxos([10n * KAS + 1_000_000n])))
    expect(outputs).toEqual([10n * KAS])
    expect(fee).toBe(1_000_000n)
  })

  it('selects small inputs to allow a small output', async () => {
    const { inputs, outputs } = await planSingle(pay(1_000_000n, utxos([100n * KAS, 1_250_000n])))
    expect(inputs).toEqual([1_250_000n])
    expect(outputs).toEqual([1_000_000n])
  })

  it('skips immature, covenant-bound, script and reserved UTXOs', async () => {
    const entries = [
      utxo(500n * KAS, 0, { isCoinbase: true, blockDaaScore: 1001n }),
      utxo(400n * KAS, 1, { covenantId: 'cc'.repeat(32) }),
      utxo(300n * KAS, 2, { address: scriptAddress }),
      utxo(200n * KAS, 3),
      utxo(100n * KAS, 4, { isCoinbase: true, blockDaaScore: 1000n }),
    ]
    const elsewhere = createScriptedDependencies(noSdk)
    elsewhere.reservations.reserve({ id: '', inputs: [utxo(0n, 3)], outputs: [] })
    const { transactions } = await createTransactions(elsewhere).create(pay(10n * KAS, entries))
    expect(transactions[0]?.serialize().inputs.map(({ previousOutpoint }) => previousOutpoint)).toEqual([
      entries[4]?.outpoint,
    ])
  })

  it('F4 spends UTXOs that a covenant binds only with spendBound, each as one input of two storage units', async () => {
    const covenantId = 'cc'.repeat(32)
    const entries = Array.from({ length: 100 }, (_, number) => utxo(KAS, number, { covenantId }))
    const ofScript = utxo(1000n * KAS, 100, { covenantId, address: scriptAddress })
    const given = pay(95n * KAS, [...entries, ofScript])
    await expect(create(given)).rejects.toMatchObject({ code: 'insufficient-funds', spendable: 0n, bound: 100n * KAS })
    const created = await create({ ...given, spendBound: true })
    const seen = followPlan(entries, created)
    expect(seen.map(({ transaction }) => transaction.inputs.length)).toEqual([88, 9])
    expect(seen.map(({ transaction }) => transaction.version)).toEqual([0, 0])
  })

  it('spends duplicate entries once', async () => {
    const [one] = utxos([10n * KAS])
    if (one === undefined) throw new Error('no UTXO')
    await expect(create(pay(15n * KAS, [one, { ...one }]))).rejects.toMatchObject({
      code: 'insufficient-funds',
      spendable: 10n * KAS,
    })
  })
})

describe('a created transaction', () => {
  it('sets sequence 0 and commits to its storage mass', async () => {
    const { transactions } = await create(pay(KAS / 10n, utxos([100n * KAS])))
    const serialized = transactions[0]?.serialize()
    expect(serialized?.inputs.map(({ sequence, sigOpCount }) => [sequence, sigOpCount])).toEqual([['0', 1]])
    expect(serialized?.mass).toBe('100000')
  })

  it('serialises to plain JSON', async () => {
    const { transactions } = await create(pay(KAS, utxos([100n * KAS])))
    const serialized = transactions[0]?.serialize()
    expect(JSON.parse(JSON.stringify(serialized))).toEqual(serialized)
  })
})
