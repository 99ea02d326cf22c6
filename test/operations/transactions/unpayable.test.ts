import { describe, expect, it } from 'vitest'
import { isInsufficientFunds } from '../../../src/errors/insufficient-funds.js'
import { isOutputTooSmall } from '../../../src/errors/output-too-small.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { toError } from '../../../src/operations/transactions/plan/failure.js'
import { plan } from '../../../src/operations/transactions/plan/plan.js'
import { openPurse } from '../../../src/operations/transactions/plan/purse.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { KAS, alice, bob, coin, coins } from './people.js'
import { good, noSdk, paying, refusal } from './refusal.js'
import { createWorld } from './world.js'

describe('what cannot be paid', () => {
  it('is told with all sums: more than the balance', async () => {
    const error = await refusal({ ...paying(100n * KAS) }, ['getFeeEstimate'])
    expect(error.message).toBe('100.001624 KAS are needed, fee included, and 100 KAS can be spent')
    if (!isInsufficientFunds(error)) throw error
    const { spendable, immature, reserved, dust, required } = error
    expect({ spendable, immature, reserved, dust, required }).toEqual({
      spendable: 100n * KAS,
      immature: 0n,
      reserved: 0n,
      dust: 0n,
      required: 100n * KAS + 162_400n,
    })
  })

  it('is told with what is there but cannot be spent yet', async () => {
    const world = createWorld(noSdk)
    const entries = [
      coin(KAS, 0),
      coin(2n * KAS, 1),
      coin(4n * KAS, 2, { isCoinbase: true, blockDaaScore: 1500n }),
      coin(100_000n, 3),
    ]
    world.reservations.reserve([coin(0n, 1).outpoint])
    const error: unknown = await createTransactions(world)
      .estimate({ ...good, ...paying(3n * KAS), entries })
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      code: 'insufficient-funds',
      spendable: KAS,
      immature: 4n * KAS,
      reserved: 2n * KAS,
      dust: 100_000n,
      hint: '4 KAS are mined and not ripe yet. 2 KAS are taken by payments under way. 0.001 KAS lie in coins that cost more to spend than they hold.',
    })
  })

  it('is told where there is no coin at all', async () => {
    expect(await refusal({ entries: [] }, ['getFeeEstimate'])).toMatchObject({
      code: 'insufficient-funds',
      spendable: 0n,
      required: 10n * KAS + 162_400n,
    })
  })

  it('is told of 5,000 coins of dust', async () => {
    const error = await refusal({ entries: coins(Array.from({ length: 5000 }, () => 100_000n)), ...paying(KAS) }, [
      'getFeeEstimate',
    ])
    expect(error).toMatchObject({ code: 'insufficient-funds', spendable: 0n, dust: 500_000_000n })
    expect(error.hint).toBe('5 KAS lie in coins that cost more to spend than they hold.')
  })

  it('is told of 5,000 coins that are just worth their fee', async () => {
    const error = await refusal({ entries: coins(Array.from({ length: 5000 }, () => 114_000n)), ...paying(5n * KAS) }, [
      'getFeeEstimate',
    ])
    expect(error).toMatchObject({ code: 'insufficient-funds', spendable: 570_000_000n })
  })

  it('names the output that is too small, the smallest there could be, and why', async () => {
    const error = await refusal({ outputs: [...(paying(KAS).outputs ?? []), ...(paying(1000n).outputs ?? [])] }, [
      'getFeeEstimate',
    ])
    if (!isOutputTooSmall(error)) throw error
    expect(error).toMatchObject({
      code: 'mass-exceeded',
      argument: 'outputs[1].amount',
      smallest: 2_040_817n,
      limit: 500_000n,
    })
    expect(error.message).toBe('An output of 0.00001 KAS is too small: the smallest is 0.02040817 KAS')
    expect(error.hint).toContain('KIP-9')
  })

  it('names an output that would be large enough, though the coins hold less than all of them then', async () => {
    const twenty = (amount: bigint) => ({
      outputs: Array.from({ length: 20 }, () => ({ address: bob.address, amount })),
    })
    const error = await refusal({ entries: coins([KAS]), ...twenty(4_000_000n) }, ['getFeeEstimate'])
    if (!isOutputTooSmall(error)) throw error
    expect(error.smallest).toBe(39_998_401n) // 25,000 grams each, 500,000 together
    const { estimate } = createTransactions(createWorld(noSdk))
    const enough = { ...good, entries: coins([20n * error.smallest + 1_000_000n]), ...twenty(error.smallest) }
    await expect(estimate(enough)).resolves.toMatchObject({ transactions: 1 })
  })

  it.each([
    [300_000n, {}, 2_162_400n],
    [530_000n, { priorityFee: 0n }, 2_162_400n],
    [10_000_000n, { feeRate: 3000 }, 59_644_256n],
  ])(
    'is a coin of %s sompi that is to be moved alone, and would leave too small an output',
    async (amount, fee, required) => {
      const world = createWorld(noSdk)
      const move = { entries: coins([amount]), changeAddress: alice.address, ...fee }
      const error: unknown = await createTransactions(world)
        .estimate(move)
        .catch((cause: unknown) => cause)
      expect(error).toMatchObject({ code: 'insufficient-funds', spendable: amount, required })
      expect(error).toMatchObject({ hint: 'Move them together with other coins.' })
      const enough = { ...move, entries: coins([required]) }
      await expect(createTransactions(world).estimate(enough)).resolves.toMatchObject({ transactions: 1 })
    },
  )

  it('is told where a rate leaves a rest that fits nowhere, with both ways out', async () => {
    const error = await refusal({ ...paying(100n * KAS - 5_000_000n), feeRate: 100 })
    expect(error.message).toBe(
      '0.048376 KAS would be left over: too much for a fee of 100 sompi per gram, too little for an output of its own',
    )
    expect(error.hint).toBe('Pay 0.048376 KAS more, or 0.151624 KAS less; or give priorityFee in place of feeRate.')
    if (!isInsufficientFunds(error)) throw error
    expect(error.required).toBeGreaterThan(error.spendable)
    const { estimate } = createTransactions(createWorld(noSdk))
    for (const amount of [100n * KAS - 162_400n, 100n * KAS - 5_000_000n - 15_162_400n]) {
      await expect(estimate({ ...good, ...paying(amount), feeRate: 100 })).resolves.toMatchObject({ transactions: 1 })
    }
  })

  it.each([[[]], [[KAS]]])('is a replacement without room for the coins of the other beside its payload', (amounts) => {
    const policy = { kind: 'minimum', rate: 100 } as const
    const rules = { policy, isMature: () => true, isReserved: () => false }
    const purse = openPurse([], rules, coins(Array.from({ length: 88 }, () => KAS)))
    const change = toScriptPublicKey(alice.address)
    const outputs = amounts.map((value) => ({ value, scriptPublicKey: change }))
    const planned = plan({ outputs, change, payload: 'ab'.repeat(245_000), policy, priorityFee: 0n }, purse)
    if (planned.kind !== 'impossible') throw new Error('it was planned')
    expect(toError(planned, purse, policy)).toMatchObject({
      code: 'mass-exceeded',
      argument: 'payload',
      message: 'There is no room for 88 inputs beside the payload',
    })
  })

  it('is a payload that leaves no room for an input', async () => {
    expect(await refusal({ payload: 'ab'.repeat(250_000) }, ['getFeeEstimate'])).toMatchObject({
      code: 'mass-exceeded',
      argument: 'payload',
      message: 'There is no room for an input beside the payload',
    })
  })
})
