import { schnorr } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { createContracts, type ContractInstance } from '../../src/contracts/index.js'
import { findSuccessor } from '../../src/contracts/follow.js'
import type { Contract } from '../../src/model/contracts/contract.js'
import type { SerializedTransaction } from '../../src/model/serialized-transaction.js'
import { Counter } from '../contract-calls/counter-rows.js'
import { owned, Token } from '../contract-calls/token-rows.js'
import { ALICE, BOB } from '../contract-calls/transaction.js'
import { blake2b256 } from '../../src/model/hashing.js'
import { toHex } from '../../src/model/hex.js'
import type { SignatureRequest } from '../../src/sdk/port.js'
import { eachFile } from '../lifetimes.js'
import type { counter } from '../fixtures/contracts/modules/counter.js'
import { openContracts } from './harness.js'

/** Calls whose state is spent by another one, and signed calls of an earlier process. */

const harness = eachFile(() => openContracts())

/** What `serialize()` adds: everyone who changes the record can compute it. */
const checksumOf = (record: object): string => toHex(blake2b256(new TextEncoder().encode(JSON.stringify(record))))

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

  it('is refused with the transaction of a block that no chain block has accepted yet', async () => {
    const { devnode } = harness
    const { own, elsewhere } = await deployed()
    const [mine, theirs] = [await increment(own, 1n), await increment(elsewhere, 2n)]
    const { transactionIds } = await theirs.send(harness.keys)
    await devnode.mine(1) // its spender is in no mempool, and the chain has it with the next block
    const submitting = mine.send(harness.keys)
    const mining = setInterval(() => void devnode.mine(1), 50)
    await expect(submitting).rejects.toMatchObject({ code: 'contract-moved', spentBy: transactionIds[0] })
    clearInterval(mining)
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
    devnode.faults.failCall({ method: 'getMempoolEntriesByAddresses', message: 'busy', times: 5 })
    await expect(mine.send(harness.keys)).rejects.toMatchObject({ outcome: 'unknown', reason: 'double-spend' })
  })
})

describe('a call that says what follows where another one was first', () => {
  type State = { readonly count: bigint }

  /** A call that adds 1, and then what `onMoved` says, while another one adds 2. */
  async function late(onMoved: (state: State) => { readonly step: bigint } | null) {
    const { own, elsewhere } = await deployed()
    const { contracts, funding, keys } = harness
    const call = own.call.increment({ step: 1n }, { onMoved })
    const mine = await contracts.transaction([call], funding())
    const { transactionIds } = await (await increment(elsewhere, 2n)).send(keys)
    return { own, mine, theirs: transactionIds[0]! }
  }

  it('is planned again on the state of the other, and shows what the chain then has', async () => {
    const { devnode, keys } = harness
    const seen: State[] = []
    const { own, mine, theirs } = await late((state) => {
      seen.push(state)
      return { step: 12n - state.count }
    })
    await devnode.mine(2)
    const stored: string[] = []
    const onSigned = (all: readonly SerializedTransaction[]) => void stored.push(...all.map(({ id }) => id))
    const { transactionIds, summary } = await mine.send(keys, { onSigned })
    expect(seen).toEqual([{ count: 9n }])
    expect(stored).toEqual([mine.transactions[0]!.id, transactionIds[0]])
    expect(summary.finalTransactionId).toBe(transactionIds[0])
    expect(own.outputs).toMatchObject([{ state: { count: 12n }, isUnconfirmed: true }])
    await devnode.mine(2)
    const instance = devnode.contracts.instance(Counter, own.genesis)
    expect(instance.outputs).toMatchObject([{ outpoint: { transactionId: transactionIds[0] }, state: { count: 12n } }])
    expect(transactionIds).not.toContain(theirs)
  })

  it('waits for the block of the other, which the mempool shows', async () => {
    const { devnode, keys } = harness
    const { own, mine } = await late(() => ({ step: 3n }))
    const sent = mine.send(keys)
    await devnode.mine(2)
    await sent
    await devnode.mine(2)
    expect(devnode.contracts.instance(Counter, own.genesis).state).toEqual({ count: 12n })
  })

  it('rejects where it says null, and where it is refused on the other state', async () => {
    const { devnode, keys } = harness
    const none = await late(() => null)
    await devnode.mine(2)
    await expect(none.mine.send(keys)).rejects.toMatchObject({ code: 'contract-moved', spentBy: none.theirs })
    const refused = await late(() => ({ step: 6n }))
    await devnode.mine(2)
    await expect(refused.mine.send(keys)).rejects.toMatchObject({
      code: 'contract-moved',
      cause: { code: 'contract-refused' },
      outcome: 'unknown', // of the plan that was sent
      transactionId: refused.mine.transactions[0]!.id,
    })
  })

  it('waits no longer than its signal', async () => {
    const { own } = await deployed()
    const { engine } = harness
    const [utxo] = await engine.rpc.getUtxosByAddresses([Counter.scriptAddress({ count: 7n }, 'simnet')])
    const { sink: from } = await engine.rpc.getSink()
    const covenant = { contract: Counter as unknown as Contract, covenantId: own.covenantId, genesis: own.genesis }
    const search = { utxo: utxo!, state: { count: 7n }, from, transactionId: 'ab'.repeat(32) }
    await expect(findSuccessor(engine, covenant, { ...search, signal: AbortSignal.abort() })).resolves.toBeUndefined()
  })
})

describe('a call that replaces an own one', () => {
  it('takes its place in the mempool at a higher rate, with what is chained on it undone', async () => {
    const { contracts, devnode, funding, keys } = harness
    const { own } = await deployed()
    const settings = funding()
    const first = await contracts.transaction([own.call.increment({ step: 1n })], settings)
    await first.send(keys)
    const chained = await increment(own, 1n)
    await chained.send(keys)
    expect(own.outputs).toMatchObject([{ state: { count: 9n } }])
    const replaces = first.transactions[0]!.id
    const second = await contracts.transaction([own.call.increment({ step: 5n })], { ...settings, replaces })
    expect(second.summary.fees).toBeGreaterThan(first.summary.fees)
    await second.send(keys)
    expect(own.outputs).toMatchObject([{ state: { count: 12n }, isUnconfirmed: true }])
    expect(devnode.expected.mempool()).toEqual([second.transactions[0]!.id])
    await devnode.mine(2)
    expect(devnode.contracts.instance(Counter, own.genesis).state).toEqual({ count: 12n })
  })

  it('is refused where it could be accepted beside it, and where the mempool has none', async () => {
    const { contracts, devnode, funding, keys } = harness
    const [{ own }, { own: other }] = [await deployed(), await deployed()]
    const settings = funding()
    const first = await contracts.transaction([own.call.increment({ step: 1n })], settings)
    await first.send(keys)
    const replaces = first.transactions[0]!.id
    const replace = (instance: CounterInstance) =>
      contracts.transaction([instance.call.increment({ step: 1n })], { ...settings, replaces })
    await expect(replace(other)).rejects.toMatchObject({ code: 'invalid-argument', argument: 'entries' })
    await devnode.mine(2)
    await expect(replace(own)).rejects.toMatchObject({ code: 'invalid-argument', argument: 'replaces' })
  })
})

describe('a signed call of an earlier process', () => {
  /** A call that was signed and stored, and not sent. */
  async function stored() {
    const { own } = await deployed()
    const funding = harness.funding()
    const plan = await harness.contracts.transaction([own.call.increment({ step: 3n })], funding)
    let signed: SerializedTransaction | undefined
    const onSigned = ([one]: readonly SerializedTransaction[]): never => {
      signed = one
      throw new Error('The process ends here')
    }
    await expect(plan.send(harness.keys, { onSigned })).rejects.toMatchObject({ outcome: 'unsent' })
    return { instance: own, signed: JSON.parse(JSON.stringify(signed)) as SerializedTransaction, funding }
  }

  it('reserves its inputs at once', async () => {
    const { contracts, engine } = harness
    const { signed, funding } = await stored()
    const restoring = contracts.restore(signed)
    const outputs = [{ address: BOB.address, amount: 100_000_000n }]
    await expect(engine.transactions.estimate({ ...funding, outputs })).rejects.toMatchObject({
      code: 'insufficient-funds',
      reserved: funding.entries[0]!.amount,
    })
    await restoring
  })

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

describe('an unsigned call of an earlier process', () => {
  /** The transfer of a token that is not signed, and what it calls. */
  async function unsigned() {
    const { contracts, devnode, funding, keys } = harness
    const token = await contracts.deploy(Token, owned(1_000n), funding())
    await token.send(keys)
    await devnode.mine(2)
    const next_states = [owned(600n, BOB), owned(400n)]
    const transfer = contracts
      .instance(Token, token.genesis)
      .call.transfer({ next_states, witness: ['00', { signedBy: ALICE.address }] })
    const [transaction] = (await contracts.transaction([transfer], funding())).transactions
    const stored = JSON.parse(JSON.stringify(transaction!.serialize())) as SerializedTransaction
    return { stored, genesis: token.genesis, next_states }
  }

  it('is executed again, shown to a signer with its arguments and states, and submitted', async () => {
    const { devnode, open } = harness
    const { stored, genesis, next_states } = await unsigned()
    const contracts = createContracts({ engine: await open() })
    await expect(contracts.restore(stored)).rejects.toMatchObject({ code: 'state-unknown' })
    const instance = contracts.instance(Token, genesis)
    const restored = await contracts.restore(stored)
    expect(restored.serialize()).toEqual(stored)
    const shown: unknown[] = []
    const sign = (requests: readonly SignatureRequest[]) => {
      shown.push(
        ...requests.map(({ contract }) => contract && [contract.entry, contract.stateBefore, contract.stateAfter]),
      )
      return Promise.resolve(requests.map(({ sighash }) => schnorr.sign(sighash, ALICE.key)))
    }
    await restored.signAsync({ sign })
    expect(shown).toEqual([['transfer', owned(1_000n), next_states], undefined])
    await expect(restored.submit()).resolves.toBe(stored.id)
    expect(instance.outputs.map(({ state }) => state?.amount)).toEqual([600n, 400n])
    await devnode.mine(2)
    const { outputs } = devnode.contracts.instance(Token, genesis)
    expect(outputs.map(({ state }) => state?.amount).sort()).toEqual([400n, 600n])
  })

  it.each([
    ['with the signature of another address', { address: BOB.address }],
    ['with a signature elsewhere', { at: 1 }],
  ])('is not restored %s', async (_, change) => {
    const { contracts } = harness
    const { stored } = await unsigned()
    const [call] = stored.restore!.calls!
    const changed = { ...call!, signatures: call!.signatures.map((signature) => ({ ...signature, ...change })) }
    const { checksum: _checksum, ...record } = { ...stored.restore!, calls: [changed] }
    const checksum = checksumOf({ ...stored, restore: record })
    await expect(contracts.restore({ ...stored, restore: { ...record, checksum } })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  })
})
