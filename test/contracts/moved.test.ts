import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContracts, type ContractInstance } from '../../src/contracts/index.js'
import type { SerializedTransaction } from '../../src/model/serialized-transaction.js'
import { Counter } from '../contract-calls/counter-rows.js'
import type { counter } from '../fixtures/contracts/modules/counter.js'
import { openContracts, type ContractsHarness } from './harness.js'

/** Calls whose state is spent by another one, and signed calls of an earlier process. */

let harness: ContractsHarness

beforeAll(async () => {
  harness = await openContracts()
})
afterAll(() => harness.close())

type CounterInstance = ContractInstance<typeof counter, 'Counter'>

/** A counter on the chain, as this process and another one have it. */
async function deployed(): Promise<{ own: CounterInstance; elsewhere: CounterInstance }> {
  const { contracts, devnode, funding, keys, engine } = harness
  const plan = await contracts.deploy(Counter, { count: 7n }, funding())
  await plan.send(keys)
  await devnode.mine(1)
  return {
    own: contracts.instance(Counter, plan.genesis),
    elsewhere: createContracts({ engine }).instance(Counter, plan.genesis),
  }
}

const increment = (instance: CounterInstance, step: bigint) =>
  harness.contracts.transaction([instance.call.increment({ step })], harness.funding())

describe('a call whose state another transaction spends', () => {
  it('is refused with the transaction that the mempool shows', async () => {
    const { own, elsewhere } = await deployed()
    const [mine, theirs] = [await increment(own, 1n), await increment(elsewhere, 2n)]
    const { transactionIds } = await theirs.send(harness.keys)
    await expect(mine.send(harness.keys)).rejects.toMatchObject({
      code: 'contract-moved',
      covenantId: own.covenantId,
      spentBy: transactionIds[0],
      outcome: 'unknown',
      transactionId: mine.transactions[0]!.id,
      argument: undefined,
    })
  })

  it('is refused with the transaction that the chain shows', async () => {
    const { own, elsewhere } = await deployed()
    const [mine, theirs] = [await increment(own, 1n), await increment(elsewhere, 2n)]
    const { transactionIds } = await theirs.send(harness.keys)
    await harness.devnode.mine(2)
    await expect(mine.send(harness.keys)).rejects.toMatchObject({
      code: 'contract-moved',
      spentBy: transactionIds[0],
      outcome: 'unknown',
    })
  })

  it('is not planned on a state that the chain no longer has', async () => {
    const { own, elsewhere } = await deployed()
    await (await increment(own, 1n)).send(harness.keys)
    await harness.devnode.mine(2)
    await expect(increment(elsewhere, 1n)).rejects.toMatchObject({ code: 'state-unknown' })
  })

  it('has an unknown outcome where neither shows what spends it', async () => {
    const { devnode } = harness
    const { own, elsewhere } = await deployed()
    const [mine, theirs] = [await increment(own, 1n), await increment(elsewhere, 2n)]
    await theirs.send(harness.keys)
    devnode.faults.failCall({ method: 'getMempoolEntriesByAddresses', message: 'busy' })
    await expect(mine.send(harness.keys)).rejects.toMatchObject({ outcome: 'unknown', reason: 'double-spend' })
  })
})

describe('a signed call of an earlier process', () => {
  /** A call that was signed and stored, and not sent. */
  async function stored(): Promise<{ instance: CounterInstance; signed: SerializedTransaction }> {
    const { own } = await deployed()
    const plan = await increment(own, 3n)
    let signed: SerializedTransaction | undefined
    const onSigned = ([one]: readonly SerializedTransaction[]): never => {
      signed = one
      throw new Error('The process ends here')
    }
    await expect(plan.send(harness.keys, { onSigned })).rejects.toMatchObject({ outcome: 'unsent' })
    return { instance: own, signed: JSON.parse(JSON.stringify(signed)) as SerializedTransaction }
  }

  it('is executed again, reserves its inputs, and is submitted', async () => {
    const { contracts, devnode, engine } = harness
    const { instance, signed } = await stored()
    const restored = await contracts.restore(signed)
    expect(restored.serialize()).toEqual(signed)
    await expect(restored.submit()).resolves.toBe(signed.id)
    expect(restored.known).toBe('new')
    await devnode.mine(1)
    expect(devnode.contracts.instance(Counter, instance.genesis).state).toEqual({ count: 10n })
    await expect(restored.submit()).resolves.toBe(signed.id)
    await expect(engine.transactions.restore(signed)).rejects.toMatchObject({ code: 'invalid-argument' })
  })

  it.each([
    [
      'an amount',
      (one: SerializedTransaction) => ({ ...one, outputs: one.outputs.map((output) => ({ ...output, value: '1' })) }),
    ],
    [
      'a signature script',
      (one: SerializedTransaction) => ({
        ...one,
        inputs: one.inputs.map((input) => ({ ...input, signatureScript: `${input.signatureScript.slice(0, -2)}00` })),
      }),
    ],
    [
      'the covenant of a spent output',
      (one: SerializedTransaction) => ({
        ...one,
        restore: {
          ...one.restore!,
          spent: one.restore!.spent.map((spent) => ({ ...spent, covenantId: 'aa'.repeat(32) })),
        },
      }),
    ],
    [
      'a signature that is left out',
      (one: SerializedTransaction) => ({
        ...one,
        inputs: one.inputs.map((input) => ({ ...input, signatureScript: '' })),
      }),
    ],
  ])('is not restored with %s changed', async (_, change) => {
    const { signed } = await stored()
    await expect(harness.contracts.restore(change(signed))).rejects.toMatchObject({ code: 'invalid-argument' })
  })
})
