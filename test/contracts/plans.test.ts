import { schnorr } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import type { ContractInstance } from '../../src/contracts/index.js'
import { covenantIdOfGenesis } from '../../src/model/covenant-id.js'
import { toHex } from '../../src/model/hex.js'
import { minimumFee } from '../../src/model/mass.js'
import { toTransaction } from '../../src/model/serialized-transaction.js'
import type { PendingTx } from '../../src/operations/transactions/records.js'
import type { SignatureRequest } from '../../src/sdk/port.js'
import { eachFile } from '../lifetimes.js'
import { Counter } from '../contract-calls/counter-rows.js'
import { Vault, vaultOf } from '../contract-calls/key-rows.js'
import { owned, Token } from '../contract-calls/token-rows.js'
import { ALICE, BOB, type Party } from '../contract-calls/transaction.js'
import type { counter } from '../fixtures/contracts/modules/counter.js'
import { openContracts } from './harness.js'

const KAS = 100_000_000n

const harness = eachFile(() => openContracts())

type CounterInstance = ContractInstance<typeof counter, 'Counter'>

/** A counter on the chain. */
async function deployed(count = 7n): Promise<CounterInstance> {
  const { contracts, devnode, funding, keys } = harness
  const plan = await contracts.deploy(Counter, { count }, funding())
  await plan.send(keys)
  await devnode.mine(1)
  return contracts.instance(Counter, plan.genesis)
}

const sent = ([last]: readonly PendingTx[]) => toTransaction(last!.serialize())

describe('a genesis', () => {
  it('is known before anything is signed, and is on the chain after it was sent', async () => {
    const { contracts, devnode, funding, keys } = harness
    const plan = await contracts.deploy(Counter, { count: 7n }, funding())
    expect(covenantIdOfGenesis(Counter, plan.genesis)).toBe(plan.covenantId)
    expect(plan.genesis.outputs).toEqual([{ index: 0, value: KAS, state: { count: 7n } }])
    const { transactionIds, known } = await plan.send(keys)
    expect([transactionIds, known]).toEqual([[plan.transactions[0]!.id], 'new'])
    expect(plan.summary.fees).toBe(minimumFee(sent(plan.transactions)))
    const instance = contracts.instance(Counter, plan.genesis, { covenantId: plan.covenantId })
    expect(instance.outputs).toMatchObject([{ state: { count: 7n }, value: KAS, isUnconfirmed: true }])
    await devnode.mine(1)
    expect(devnode.contracts.instance(Counter, plan.genesis).state).toEqual({ count: 7n })
  })

  it('has an output for each state of a list, with the amounts that are named', async () => {
    const { contracts, devnode, funding, keys } = harness
    const states = [owned(600n), owned(400n, BOB)]
    const plan = await contracts.deploy(Token, states, { ...funding(), value: [2n * KAS, 3n * KAS] })
    await plan.send(keys)
    await devnode.mine(1)
    const { outputs } = devnode.contracts.instance(Token, plan.genesis)
    expect(outputs.map(({ value, state }) => [value, state!.amount])).toEqual([
      [2n * KAS, 600n],
      [3n * KAS, 400n],
    ])
  })
})

describe('a call', () => {
  it('costs the least fee at the exact budget, and continues to the state that the contract computes', async () => {
    const { contracts, devnode, funding, keys } = harness
    const instance = await deployed()
    const plan = await contracts.transaction([instance.call.increment({ step: 3n })], funding())
    await plan.send(keys)
    const call = sent(plan.transactions)
    expect(call.inputs.map(({ computeBudget }) => computeBudget)).toEqual([0, 10])
    expect(plan.summary).toMatchObject({ fees: minimumFee(call), transactions: 1, leaves: 0n })
    expect(instance.outputs).toMatchObject([{ state: { count: 10n }, value: KAS, isUnconfirmed: true }])
    await devnode.mine(1)
    expect(devnode.contracts.instance(Counter, instance.genesis).state).toEqual({ count: 10n })
  })

  it('is chained on own calls that no block has yet, up to the depth that is allowed', async () => {
    const { contracts, devnode, funding, keys } = harness
    const instance = await deployed()
    const increment = (maxUnconfirmedCalls: number) =>
      contracts.transaction([instance.call.increment({ step: 1n })], { ...funding(), maxUnconfirmedCalls })
    for (const depth of [0, 1, 2]) await (await increment(depth)).send(keys)
    await expect(increment(2)).rejects.toMatchObject({ code: 'limit-exceeded', argument: 'maxUnconfirmedCalls' })
    await devnode.mine(3)
    await (await increment(0)).send(keys) // the chain has what it spends
    expect(instance.outputs).toMatchObject([{ state: { count: 11n } }])
  })

  it('shows what leaves a contract, and takes the amount that is named', async () => {
    const { contracts, funding } = harness
    const instance = await deployed()
    const call = instance.call.increment({ step: 1n }, { value: KAS / 10n })
    const { summary } = await contracts.transaction([call], funding())
    expect(summary.leaves).toBe(KAS - KAS / 10n)
    expect(summary.contracts).toEqual([
      { covenantId: instance.covenantId, entry: 'increment', before: KAS, after: KAS / 10n },
    ])
  })

  it('knows its place in the transaction', async () => {
    const { contracts, funding, keys } = harness
    const [first, second] = [await deployed(1n), await deployed(2n)]
    const plan = await contracts.transaction(
      [
        first.call.increment({ step: 1n }),
        second.call.increment(({ input, outputs: [output] }) => ({ step: BigInt(input + output!) })),
      ],
      funding(),
    )
    await plan.send(keys)
    expect([first, second].map(({ outputs }) => outputs[0]!.state)).toEqual([{ count: 2n }, { count: 4n }])
  })

  it('of another process finds its output by the record of the genesis', async () => {
    const { devnode, open, funding, keys } = harness
    const { genesis } = await deployed(20n)
    const { createContracts } = await import('../../src/contracts/index.js')
    const elsewhere = createContracts({ engine: await open() })
    const instance = elsewhere.instance(Counter, genesis)
    const plan = await elsewhere.transaction([instance.call.increment({ step: 2n })], funding())
    await plan.send(keys)
    await devnode.mine(1)
    expect(devnode.contracts.instance(Counter, genesis).state).toEqual({ count: 22n })
  })

  it('that the contract refuses is not signed, and says why', async () => {
    const { contracts, funding } = harness
    const instance = await deployed()
    await expect(contracts.transaction([instance.call.increment({ step: 6n })], funding())).rejects.toMatchObject({
      code: 'contract-refused',
      input: 0,
      entry: 'increment',
      reason: 'failed to verify the signature script: script ran, but verification failed',
    })
  })
})

describe('several contracts in one transaction', () => {
  it('are all or nothing, with payments after them', async () => {
    const { contracts, devnode, funding, keys } = harness
    const instance = await deployed()
    const token = await contracts.deploy(Token, owned(1_000n), funding())
    await token.send(keys)
    await devnode.mine(1)
    const next = [owned(600n, BOB), owned(400n)]
    const transfer = contracts
      .instance(Token, token.genesis)
      .call.transfer({ next_states: next, witness: ['00', { signedBy: ALICE.address }] })
    const plan = await contracts.transaction([transfer, instance.call.increment({ step: 2n })], {
      ...funding(),
      outputs: [{ address: BOB.address, amount: 2n * KAS }],
    })
    await plan.send(keys)
    const { inputs, outputs } = sent(plan.transactions)
    expect(inputs.map(({ computeBudget }) => computeBudget)).toEqual([13, 0, 10])
    expect(outputs[3]).toMatchObject({ value: 2n * KAS })
    await devnode.mine(1)
    const owners = devnode.contracts.instance(Token, token.genesis).outputs.map(({ state }) => state!.amount)
    expect(owners.sort()).toEqual([400n, 600n])
    expect(devnode.contracts.instance(Counter, instance.genesis).state).toEqual({ count: 9n })
  })

  it('place the leader of a covenant before its delegates, each signed by its key', async () => {
    const { contracts, devnode, funding } = harness
    const privateKeys = [toHex(ALICE.key), toHex(BOB.key)]
    const token = await contracts.deploy(Token, [owned(600n), owned(400n, BOB)], funding())
    await token.send({ privateKeys })
    await devnode.mine(1)
    const instance = contracts.instance(Token, token.genesis)
    const [first, second] = instance.outputs
    const calls = [
      instance.call.transfer_delegator({ witness: [{ signedBy: BOB.address }] }, { from: second!.outpoint }),
      instance.call.transfer(
        { next_states: [owned(1_000n)], witness: ['00', { signedBy: ALICE.address }] },
        { from: first!.outpoint },
      ),
    ]
    await (await contracts.transaction(calls, funding())).send({ privateKeys })
    await devnode.mine(1)
    expect(devnode.contracts.instance(Token, token.genesis).outputs).toMatchObject([{ state: { amount: 1_000n } }])
  })
})

describe('signatures', () => {
  const signerOf = (party: Party, requested: SignatureRequest[] = []) => ({
    sign: (requests: readonly SignatureRequest[]) => {
      requested.push(...requests)
      return Promise.resolve(requests.map(({ sighash }) => schnorr.sign(sighash, party.key)))
    },
  })

  /** A vault of Alice on the chain. */
  async function vault(): Promise<ContractInstance> {
    const { contracts, devnode, funding, keys } = harness
    const plan = await contracts.deploy(Vault, vaultOf(ALICE), funding())
    await plan.send(keys)
    await devnode.mine(1)
    return contracts.instance(Vault, plan.genesis) as unknown as ContractInstance
  }

  it('of arguments and of funding are requested from one signer, who is shown the call', async () => {
    const { contracts, funding, devnode } = harness
    const instance = await vault()
    const requested: SignatureRequest[] = []
    const close = instance.call.close!({ s: { signedBy: ALICE.address } })
    const outputs = [{ address: BOB.address, amount: 5n * KAS }]
    const plan = await contracts.transaction([close], { ...funding(), outputs })
    await plan.send({ signer: signerOf(ALICE, requested) })
    expect(requested.map(({ inputIndex, address, contract }) => [inputIndex, address, contract?.entry])).toEqual([
      [0, ALICE.address, 'close'],
      [1, ALICE.address, undefined],
    ])
    expect(requested[0]!.contract).toEqual({
      name: 'Vault',
      entry: 'close',
      arguments: { s: { signedBy: ALICE.address } },
      covenantId: instance.covenantId,
      stateBefore: vaultOf(ALICE),
      stateAfter: [],
    })
    await devnode.mine(1)
    expect(instance.outputs).toEqual([])
  })

  it('of another key are refused, and a missing key is named', async () => {
    const { contracts, funding } = harness
    const instance = await vault()
    const close = instance.call.close!({ s: { signedBy: ALICE.address } })
    const outputs = [{ address: BOB.address, amount: 5n * KAS }]
    const plan = await contracts.transaction([close], { ...funding(), outputs })
    await expect(plan.send({ signer: signerOf(BOB) })).rejects.toMatchObject({
      code: 'invalid-signature',
      outcome: 'unsent',
    })
    await expect(plan.send({ privateKeys: [toHex(BOB.key)] })).rejects.toMatchObject({
      code: 'key-mismatch',
      outcome: 'unsent',
    })
    expect(plan.transactions[0]!.addresses()).toEqual([ALICE.address])
  })

  it('are required where the contract pays the fee, and no input of a key funds it', async () => {
    const { contracts, devnode } = harness
    const instance = await vault()
    const close = instance.call.close!({ s: { signedBy: ALICE.address } })
    const [unsigned] = (await contracts.transaction([close], { entries: [], changeAddress: ALICE.address }))
      .transactions
    await expect(unsigned!.submit()).rejects.toMatchObject({ code: 'key-mismatch', outcome: 'unsent' })
    const restored = await contracts.restore(unsigned!.serialize())
    await expect(restored.submit()).rejects.toMatchObject({ code: 'key-mismatch' })
    await restored.signAsync(signerOf(ALICE))
    await (await contracts.restore(restored.serialize())).submit()
    await devnode.mine(1)
    expect(devnode.contracts.instance(Vault, instance.genesis as never).outputs).toEqual([])
  })

  it('for an address of another network are refused before anything is planned', async () => {
    const { contracts, funding } = harness
    const instance = await vault()
    const mainnet = 'kaspa:qpauqsvk7yf9unexwmxsnmg547mhyga37csh0kj53q6xxgl24ydxjsgzthw5j'
    await expect(
      contracts.transaction([instance.call.close!({ s: { signedBy: mainnet } })], funding()),
    ).rejects.toMatchObject({ code: 'invalid-argument', argument: 'args.s' })
  })
})
