import { describe, expect, it } from 'vitest'
import { followPlan } from './checked-plan.js'
import { KAS, alice, bob, carol, utxos } from './accounts.js'
import { create, estimate, pay, planSingle, inputCount } from './planned.js'

describe('a payment from many UTXOs', () => {
  const hundred = utxos(Array.from({ length: 100 }, (_, at) => KAS + BigInt(at)))

  it('compounds some UTXOs first, and only as many as needed', async () => {
    const created = await create(pay(95n * KAS, hundred))
    expect(created.summary.transactions).toBe(2)
    const [first, last] = created.transactions
    expect(inputCount(first)).toBe(88)
    expect(first?.serialize().outputs).toHaveLength(1)
    expect(last?.serialize().inputs.at(-1)?.previousOutpoint).toEqual({ transactionId: first?.id, index: 0 })
    followPlan(hundred, created)
  })

  it('compounds at the address of the inputs, even if the change goes elsewhere', async () => {
    const { transactions } = await create(pay(95n * KAS, hundred, { changeAddress: carol.address }))
    expect(transactions.map((each) => each.addresses())).toEqual([[alice.address], [alice.address]])
  })

  it('carries the payload in the final transaction only', async () => {
    const { transactions } = await create(pay(95n * KAS, hundred, { payload: 'C0FFEE' }))
    expect(transactions.map((each) => each.serialize().payload)).toEqual(['', 'c0ffee'])
  })

  it('compounds compound outputs again only for thousands of UTXOs', async () => {
    const entries = utxos(Array.from({ length: 8000 }, () => KAS))
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
  it('consolidates all UTXOs into one, which is the final amount', async () => {
    const entries = utxos([KAS, 2n * KAS, 3n * KAS])
    const { inputs, outputs, fee } = await planSingle({ entries, changeAddress: alice.address })
    expect(inputs).toHaveLength(3)
    expect(outputs).toEqual([6n * KAS - fee])
    expect(await estimate({ entries, changeAddress: alice.address })).toMatchObject({
      fees: fee,
      finalAmount: 6n * KAS - fee,
    })
  })

  it('leaves out dust', async () => {
    const { inputs } = await planSingle({ entries: utxos([KAS, 113_000n]), changeAddress: alice.address })
    expect(inputs).toEqual([KAS])
  })

  it('sweeps any number of UTXOs to another address', async () => {
    const entries = utxos(Array.from({ length: 200 }, () => KAS))
    const { transactions } = await create({ entries, changeAddress: bob.address })
    expect(transactions.map((each) => each.addresses())).toEqual([[alice.address], [alice.address], [alice.address]])
    expect(transactions.at(-1)?.serialize().outputs).toHaveLength(1)
  })
})
