import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../../src/devnode/create-devnode.js'
import type { Devnode } from '../../../src/devnode/devnode.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { FEE, coinMadeBy, walletOf } from '../ledger/wallet.js'

const [alice, bob] = [walletOf(1), walletOf(2)]
const AMOUNT = 9_007_199_254_740_993n // 2^53 + 1

let devnode: Devnode
let engine: ChainEngine

beforeAll(async () => {
  const coins = [{ address: alice.address, amount: AMOUNT + FEE }]
  devnode = await createDevnode({ blockInterval: 0, coins })
  await devnode.mine(2)
  const { borsh, rest } = devnode.urls
  engine = createChainEngine({ network: 'simnet', url: borsh, restUrl: rest })
  await engine.connection.connect()
})

afterAll(async () => {
  await engine.dispose()
  await devnode.close()
})

describe('a session over sockets', () => {
  it('reads over REST what was paid over RPC, to the sompi', async () => {
    const payment = alice.pay(devnode.truth.utxos([alice.address]), [{ to: bob.address, amount: AMOUNT }])
    const id = await engine.rpc.submitTransaction(payment)
    expect(await engine.rest.getTransaction(id)).toBeNull()
    await devnode.mine(2)

    const found = await engine.rest.getTransaction(id, { forceRefresh: true })
    expect(found).toMatchObject({ transactionId: id, is_accepted: true, senderAddresses: [alice.address] })
    expect(found?.outputs?.[0]?.amountExact).toBe(AMOUNT)
    const { balance } = await engine.rpc.getBalanceByAddress(bob.address)
    expect((await engine.rest.getAddressBalance(bob.address)).balanceExact).toBe(balance)
    const [utxo] = await engine.rest.getUtxosByAddress(bob.address)
    expect(utxo).toMatchObject({ outpoint: { transactionId: id, index: 0 }, utxoEntry: { amount: String(AMOUNT) } })

    const back = bob.pay([coinMadeBy(payment)], [{ to: alice.address, amount: AMOUNT - FEE }])
    const { transactionId } = await engine.rest.submitTransaction({
      ...back,
      lockTime: back.lockTime.toString(),
      inputs: back.inputs.map((input) => ({ ...input, sequence: input.sequence.toString() })),
      outputs: back.outputs.map(({ value, scriptPublicKey }) => ({ value: value.toString(), scriptPublicKey })),
    })
    expect(devnode.truth.mempool()).toEqual([transactionId])
  })

  it('is told of a second submission in the node’s words', async () => {
    const spent = alice.pay(
      [coinMadeBy(alice.pay([], [{ to: alice.address, amount: 1n }]))],
      [{ to: bob.address, amount: 1n }],
    )
    const { error } = await engine.rest.submitTransaction({
      ...spent,
      outputs: spent.outputs.map(({ value, scriptPublicKey }) => ({ value, scriptPublicKey })),
    })
    expect(error).toMatch(/^Rejected transaction [0-9a-f]{64}: /)
  })

  it('gets through a failure of the REST side with a retry', async () => {
    devnode.faults.failRest({ status: 500, path: '/info/blockdag', times: 1 })
    expect((await engine.rest.getBlockDag({ forceRefresh: true })).networkName).toBe('kaspa-simnet')
  })

  it('tells of a failure that lasts', async () => {
    const fault = devnode.faults.failRest({ status: 500, body: 'html', path: '/info/blockdag' })
    await expect(engine.rest.getBlockDag({ forceRefresh: true })).rejects.toMatchObject({ code: 'http', status: 500 })
    fault.stop()
  })
})
