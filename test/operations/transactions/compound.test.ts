import { describe, expect, it } from 'vitest'
import { followPlan } from './checked-plan.js'
import { KAS, alice, bob, carol, coins } from './people.js'
import { create, estimate, pay, outlined, inputCount } from './planned.js'

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
