import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../../src/devnode/create-devnode.js'
import type { Devnode } from '../../../src/devnode/devnode.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { FEE, utxoCreatedBy, walletOf } from '../ledger/wallet.js'

const [alice, bob] = [walletOf(1), walletOf(2)]
const AMOUNT = 9_007_199_254_740_993n // 2^53 + 1

let devnode: Devnode
let engine: ChainEngine

beforeAll(async () => {
  const utxos = [{ address: alice.address, amount: AMOUNT + FEE }]
  devnode = await createDevnode({ blockInterval: 0, utxos })
  await devnode.mine(2)
  const { borsh, rest } = devnode.urls
  engine = createChainEngine({ network: 'simnet', url: borsh, restUrl: rest })
  await engine.connection.connect()
})

afterAll(async () => {
  await engine.dispose()
  await devnode.close()
})

describe('an engine with a devnode', () => {
  it('reads a payment made over RPC from REST, exact to the sompi', async () => {
    const payment = alice.pay(devnode.expected.utxos([alice.address]), [{ to: bob.address, amount: AMOUNT }])
    const id = await engine.rpc.submitTransaction(payment)
    expect(await engine.rest.getTransaction(id)).toBeNull()
    await devnode.mine(2)

    const found = await engine.rest.getTransaction(id, { forceRefresh: true })
    // the indexer does not have the genesis transaction, but stores the senders of accepted transactions
    expect(found).toMatchObject({ transactionId: id, is_accepted: true, senderAddresses: undefined })
    const [listed] = await engine.rest.searchTransactions({ transactionIds: [id] })
    expect(listed).toMatchObject({ transactionId: id, senderAddresses: [alice.address] })
    expect(found?.outputs?.[0]?.amountExact).toBe(AMOUNT)
    const { balance } = await engine.rpc.getBalanceByAddress(bob.address)
    expect((await engine.rest.getAddressBalance(bob.address)).balanceExact).toBe(balance)
    const [utxo] = await engine.rest.getUtxosByAddress(bob.address)
    expect(utxo).toMatchObject({ outpoint: { transactionId: id, index: 0 }, utxoEntry: { amount: String(AMOUNT) } })

    const back = bob.pay([utxoCreatedBy(payment)], [{ to: alice.address, amount: AMOUNT - FEE }])
    const { transactionId } = await engine.rest.submitTransaction({
      ...back,
      lockTime: back.lockTime.toString(),
      inputs: back.inputs.map((input) => ({ ...input, sequence: input.sequence.toString() })),
      outputs: back.outputs.map(({ value, scriptPublicKey }) => ({ value: value.toString(), scriptPublicKey })),
    })
    expect(devnode.expected.mempool()).toEqual([transactionId])
  })

  it('gets the node’s error text for a refused transaction', async () => {
    const spent = alice.pay(
      [utxoCreatedBy(alice.pay([], [{ to: alice.address, amount: 1n }]))],
      [{ to: bob.address, amount: 1n }],
    )
    const submitted = engine.rest.submitTransaction({
      ...spent,
      outputs: spent.outputs.map(({ value, scriptPublicKey }) => ({ value, scriptPublicKey })),
    })
    expect(await submitted).toEqual({
      outcome: 'unknown',
      transactionId: expect.any(String),
      error: expect.stringMatching(/^Rejected transaction [0-9a-f]{64}: /),
    })
  })

  it('retries after a REST failure', async () => {
    devnode.faults.failRest({ status: 500, path: '/info/blockdag', times: 1 })
    expect((await engine.rest.getBlockDag({ forceRefresh: true })).networkName).toBe('kaspa-simnet')
  })

  it('rejects after a lasting REST failure', async () => {
    const fault = devnode.faults.failRest({ status: 500, body: 'html', path: '/info/blockdag' })
    await expect(engine.rest.getBlockDag({ forceRefresh: true })).rejects.toMatchObject({ code: 'http', status: 500 })
    fault.stop()
  })
})
