import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ContractInstance } from '../../src/contracts/index.js'
import { createPayouts } from '../../src/payouts/create-payouts.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { Counter } from '../contract-calls/counter-rows.js'
import { ALICE, BOB } from '../contract-calls/transaction.js'
import type { counter } from '../fixtures/contracts/modules/counter.js'
import { openContracts, type ContractsHarness } from './harness.js'

/** What is refused before anything is signed. */

const KAS = 100_000_000n

let harness: ContractsHarness
let instance: ContractInstance<typeof counter, 'Counter'>

beforeAll(async () => {
  harness = await openContracts()
  const { contracts, devnode, funding, keys } = harness
  const plan = await contracts.deploy(Counter, { count: 7n }, funding())
  await plan.send(keys)
  await devnode.mine(1)
  instance = contracts.instance(Counter, plan.genesis)
})
afterAll(() => harness.close())

const increment = (options = {}, settings = {}) =>
  harness.contracts.transaction([instance.call.increment({ step: 1n }, options)], {
    ...harness.funding(),
    ...settings,
  })

describe('a plan of contracts', () => {
  it('names the smallest amount that nodes take, with which it can be planned', async () => {
    const { contracts, funding, keys } = harness
    const settings = funding()
    const deploy = (value: bigint) => contracts.deploy(Counter, { count: 1n }, { ...settings, value })
    const error: unknown = await deploy(1_000_000n).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'mass-exceeded', argument: 'value' })
    const { smallest } = error as { readonly smallest: bigint }
    await expect(deploy(smallest - 1n)).rejects.toMatchObject({ code: 'mass-exceeded', smallest })
    await (await deploy(smallest)).send(keys)
  })

  it('is refused without funds, above maxFee, and from the addresses of a payment queue', async () => {
    const { contracts, funding } = harness
    const { changeAddress } = funding()
    await expect(increment({}, { entries: [] })).rejects.toMatchObject({ code: 'insufficient-funds' })
    await expect(increment({}, { maxFee: 1_000n })).rejects.toMatchObject({ code: 'fee-too-high', maxFee: 1_000n })
    const engine = await harness.open()
    const { createContracts } = await import('../../src/contracts/index.js')
    createPayouts({
      engine,
      journal: memoryJournal(),
      addresses: [ALICE.address],
      minConfirmations: 10,
      privateKeys: harness.keys.privateKeys,
    })
    await expect(
      createContracts({ engine }).deploy(Counter, { count: 1n }, { ...funding(), changeAddress }),
    ).rejects.toMatchObject({ code: 'managed-by-journal' })
    await expect(contracts.transaction([], funding())).rejects.toMatchObject({ argument: 'calls' })
  })

  it('does not spend what a sent plan has reserved', async () => {
    const { contracts, funding, keys } = harness
    const settings = funding()
    await (await contracts.deploy(Counter, { count: 1n }, settings)).send(keys)
    await expect(contracts.deploy(Counter, { count: 2n }, settings)).rejects.toMatchObject({
      code: 'insufficient-funds',
      reserved: 50n * KAS,
    })
  })

  it.each([
    ['an unknown setting', {}, { payload: '00' }, 'payload'],
    ['an unknown option of lock times', {}, { lockTime: 5 }, 'lockTime'],
    ['a depth that is no number', {}, { maxUnconfirmedCalls: -1 }, 'maxUnconfirmedCalls'],
    ['an amount of zero', { value: 0n }, {}, 'value'],
    ['an amount that is no bigint', { value: 5 }, {}, 'value'],
  ])('refuses %s', async (_, options, settings, argument) => {
    await expect(increment(options, settings)).rejects.toMatchObject({ code: 'invalid-argument', argument })
  })

  it('refuses an argument by its path, and an output that is none of the contract', async () => {
    const { contracts, funding } = harness
    const wrong = instance.call.increment({ step: 3 as unknown as bigint })
    await expect(contracts.transaction([wrong], funding())).rejects.toMatchObject({ argument: 'args.step' })
    const from = { transactionId: 'ab'.repeat(32), index: 0 }
    await expect(increment({ from })).rejects.toMatchObject({ code: 'state-unknown' })
    const twice = [1n, 2n].map((step) => instance.call.increment({ step }))
    await expect(contracts.transaction(twice, funding())).rejects.toMatchObject({ argument: 'from' })
  })

  it('pays no contract, neither by an output nor by the change', async () => {
    const { contracts, funding } = harness
    const address = Counter.scriptAddress({ count: 7n }, 'simnet')
    const [settings, refused] = [funding(), { code: 'contract-address', argument: 'outputs[0].address' }]
    const outputs = [{ address, amount: KAS }]
    await expect(increment({}, { outputs })).rejects.toMatchObject(refused)
    await expect(contracts.deploy(Counter, { count: 1n }, { ...settings, outputs })).rejects.toMatchObject(refused)
    await expect(increment({}, { changeAddress: address })).rejects.toMatchObject({
      code: 'contract-address',
      argument: 'changeAddress',
    })
  })

  it('is bound to the covenant that is expected', () => {
    const { genesis, covenantId } = instance
    const given = 'ab'.repeat(32)
    expect(() => harness.contracts.instance(Counter, genesis, { covenantId: given })).toThrow(
      expect.objectContaining({ code: 'genesis-mismatch', computed: covenantId, given }),
    )
  })
})

describe('an ordinary payment', () => {
  it('to the address of a contract is refused, as output and as change', async () => {
    const { engine, funding, keys } = harness
    const address = Counter.scriptAddress({ count: 7n }, 'simnet')
    const settings = { ...funding(), ...keys }
    await expect(engine.transactions.send({ ...settings, outputs: [{ address, amount: KAS }] })).rejects.toMatchObject({
      code: 'contract-address',
      argument: 'outputs[0].address',
      outcome: 'unsent',
    })
    const toBob = [{ address: BOB.address, amount: KAS }]
    await expect(
      engine.transactions.create({ ...settings, changeAddress: address, outputs: toBob }),
    ).rejects.toMatchObject({ code: 'contract-address', argument: 'changeAddress' })
    const { entries } = settings
    await expect(engine.transactions.sweep({ entries, ...keys, to: address })).rejects.toMatchObject({
      code: 'contract-address',
    })
  })
})
