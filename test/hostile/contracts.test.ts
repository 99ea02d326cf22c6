import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryDevnode, type MemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { covenantIdOfGenesis } from '../../src/model/covenant-id.js'
import { minimumFee } from '../../src/model/mass.js'
import type { Transaction } from '../../src/model/transaction.js'
import { transactionId } from '../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { light } from '../../src/sdk/light/light.js'
import { callOf, Counter, counterOf } from '../contract-calls/counter-rows.js'
import { output } from '../contract-calls/covenants.js'
import { deploy, type CallHarness } from '../contract-calls/harness.js'
import { ALICE, build } from '../contract-calls/transaction.js'
import { utxoCreatedBy } from '../devnode/ledger/wallet.js'

/**
 * Nodes that claim another state of a contract, and strangers who call first, replace a call, or pay to the address of
 * a contract.
 */

const KAS = 100_000_000n

let devnode: MemoryDevnode
let engine: ChainEngine
let funds: UtxoEntry[]

beforeAll(async () => {
  const utxos = Array.from({ length: 40 }, () => ({ address: ALICE.address, amount: 50n * KAS }))
  devnode = createMemoryDevnode({ blockInterval: 0, utxos })
  engine = createChainEngine({ ...devnode.engineOptions, sdk: light })
  await engine.connection.connect()
  funds = [...(await engine.rpc.getUtxosByAddresses([ALICE.address]))]
})
afterAll(async () => {
  await engine.dispose()
  await devnode.close()
})

const submit = (transaction: Transaction): Promise<string> => engine.rpc.submitTransaction(transaction)

const harness: CallHarness = {
  submit: async (transaction, how) => {
    if (how === 'replacement') await engine.rpc.submitTransactionReplacement(transaction)
    else await submit(transaction)
    return 'taken'
  },
  mine: async (count) => void (await devnode.mine(count)),
  utxo: () => Promise.resolve(funds.pop()!),
}

describe('a claim of a node or an indexer is found out:', () => {
  const outpoint = { transactionId: '11'.repeat(32), index: 3 }
  const genesis = {
    outpoint,
    outputs: [
      { index: 1, value: KAS, state: { count: 7n } },
      { index: 2, value: KAS, state: { count: 8n } },
    ],
  }
  const [first, second] = genesis.outputs as [(typeof genesis.outputs)[0], (typeof genesis.outputs)[0]]
  const id = covenantIdOfGenesis(Counter, genesis)

  it.each([
    ['another outpoint', { ...genesis, outpoint: { ...outpoint, index: 4 } }],
    ['an output that is left out', { outpoint, outputs: [first] }],
    ['an output that is added', { outpoint, outputs: [...genesis.outputs, { ...second, index: 3 }] }],
    ['another order', { outpoint, outputs: [second, first] }],
    ['another place', { outpoint, outputs: [{ ...first, index: 0 }, second] }],
    ['another amount', { outpoint, outputs: [{ ...first, value: KAS - 1n }, second] }],
    ['another state', { outpoint, outputs: [{ ...first, state: { count: 9n } }, second] }],
  ])('a genesis record with %s has another covenant id', (_, changed) => {
    expect(covenantIdOfGenesis(Counter, changed)).not.toBe(id)
  })

  it('redeem scripts of other programs, of other lengths and of a megabyte have no state', () => {
    const script = Counter.redeemScript({ count: 7n })
    const others = [script.slice(0, -2), `${script}51`, '', '51', `${script.slice(0, -2)}52`, '61'.repeat(1_000_000)]
    expect(others.map((other) => Counter.decodeState(other))).toEqual(others.map(() => undefined))
    expect(Counter.decodeState(script)).toEqual({ count: 7n })
  })
})

describe('a call that', () => {
  it('a stranger makes first is refused with an unknown outcome, before and after a block has that of the stranger', async () => {
    const contract = await deploy(harness, Counter, { count: 7n })
    const [own, foreign] = [await callOf(harness, contract), await callOf(harness, contract, { step: 1n })]
    await submit(foreign)
    const refusal = { code: 'remote', outcome: 'unknown', transactionId: transactionId(own) }
    await expect(submit(own)).rejects.toMatchObject({ ...refusal, reason: 'double-spend' })
    await devnode.mine(2)
    await expect(submit(own)).rejects.toMatchObject({ ...refusal, reason: 'orphan' })
  })

  it('a stranger replaces leaves the mempool with what is chained on it, and the instance shows the other state', async () => {
    const contract = await deploy(harness, Counter, { count: 7n })
    const own = await callOf(harness, contract)
    const chained = await callOf(harness, { ...contract, utxo: utxoCreatedBy(own) }, { count: 10n, step: 1n })
    const foreign = await callOf(harness, contract, { step: 5n, fee: 20n * minimumFee(own) })
    await submit(own)
    await submit(chained)
    await engine.rpc.submitTransactionReplacement(foreign)
    const { outpoint } = contract
    const value = contract.utxo.amount
    const instance = devnode.contracts.instance(Counter, {
      outpoint,
      outputs: [{ index: 0, value, state: { count: 7n } }],
    })
    await devnode.mine(2)
    expect(instance.outputs).toMatchObject([
      { outpoint: { transactionId: transactionId(foreign) }, state: { count: 12n } },
    ])
  })
})

describe('UTXOs at the address of a contract that a stranger pays', () => {
  it('are no part of an instance, and carry no covenant id', async () => {
    const contract = await deploy(harness, Counter, { count: 7n })
    const payment = build({ inputs: [], outputs: [output(counterOf(7n), KAS)], fundedBy: await harness.utxo() })
    await submit(payment)
    await devnode.mine(2)
    const { outpoint, covenantId } = contract
    const genesis = { outpoint, outputs: [{ index: 0, value: contract.utxo.amount, state: { count: 7n } }] }
    expect(devnode.contracts.instance(Counter, genesis).outputs).toHaveLength(1)
    const entries = await engine.rpc.getUtxosByAddresses([Counter.scriptAddress({ count: 7n }, 'simnet')])
    const ids = new Map(entries.map((entry) => [entry.outpoint.transactionId, entry.covenantId]))
    expect(ids.get(contract.utxo.outpoint.transactionId)).toBe(covenantId)
    expect(ids.get(transactionId(payment))).toBeUndefined()
  })
})
