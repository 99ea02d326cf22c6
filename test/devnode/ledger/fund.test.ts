import { describe, expect, it } from 'vitest'
import { createLedger } from '../../../src/devnode/ledger/ledger.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { FEE, walletOf } from './wallet.js'
import { told } from './world.js'

const [alice, bob] = [walletOf(0x33), walletOf(0x44)]

describe('funding an address', () => {
  it('pays from the faucet in one block: the coins are there and may be spent at once', () => {
    const ledger = createLedger({ faucet: 10n ** 17n })
    const { result, events } = ledger.fund([{ address: alice.address, amount: 123_456_789n }], { now: 0 })
    expect(ledger.truth.chain()).toHaveLength(2)
    const [coin] = ledger.truth.utxos([alice.address])
    expect(coin).toMatchObject({
      amount: 123_456_789n,
      isCoinbase: false,
      outpoint: { transactionId: result.transactionId },
    })
    expect(told(events, 'utxos-changed')[0]?.added).toContainEqual(coin)
    const payment = alice.pay([coin!], [{ to: bob.address, amount: 123_456_789n - FEE }])
    expect(ledger.answer('submitTransaction', { transaction: payment, allowOrphan: false }, 0)).toEqual({
      ok: true,
      value: { transactionId: transactionId(payment) },
    })
  })

  it('pays several at once', () => {
    const ledger = createLedger({ faucet: 10n ** 17n })
    ledger.fund(
      [
        { address: alice.address, amount: 10n ** 9n },
        { address: bob.address, amount: 10n ** 10n },
      ],
      { now: 0 },
    )
    const balance = (address: string) => ledger.answer('getBalanceByAddress', { address }, 0)
    expect([balance(alice.address), balance(bob.address)]).toEqual([
      { ok: true, value: { balance: 10n ** 9n } },
      { ok: true, value: { balance: 10n ** 10n } },
    ])
  })

  it('pays by coinbase what a miner earns, immature like any coinbase', () => {
    const ledger = createLedger()
    const { result } = ledger.fund([{ address: alice.address, amount: 777n }], { now: 0, as: 'coinbase' })
    expect(ledger.truth.utxos([alice.address])).toMatchObject([
      { amount: 777n, isCoinbase: true, blockDaaScore: 2n, outpoint: { transactionId: result.transactionId } },
    ])
  })

  it('says what is wrong', () => {
    const ledger = createLedger({ faucet: 10n ** 12n })
    const fund = (address: string, amount: bigint) => () => ledger.fund([{ address, amount }], { now: 0 })
    expect(fund('kaspa:x', 1n)).toThrow('"kaspa:x" is no address of simnet')
    expect(fund(alice.address, 0n)).toThrow('0 sompi cannot be paid')
    expect(fund(alice.address, 10n ** 12n)).toThrow('The faucet has not enough coins')
    expect(fund(alice.address, 1000n)).toThrow('The amount is too small to be paid: transaction storage mass of')
    expect(() => createLedger().fund([{ address: alice.address, amount: 10n ** 9n }], { now: 0 })).toThrow(
      'The faucet has not enough coins',
    )
    expect(ledger.truth.chain()).toHaveLength(1)
  })
})

describe('what an indexer has kept', () => {
  const ledger = createLedger({ faucet: 10n ** 17n })
  const { transactionId: funding } = ledger.fund([{ address: alice.address, amount: 10n ** 10n }], { now: 0 }).result
  const [coin] = ledger.truth.utxos([alice.address])
  const payment = alice.pay([coin!], [{ to: bob.address, amount: 10n ** 10n - FEE }])
  ledger.answer('submitTransaction', { transaction: payment, allowOrphan: false }, 0)
  const [including] = ledger.mine({ now: 0 }).result
  const id = transactionId(payment)

  it('is a transaction with its block, its coins, and the chain block that accepted it once there is one', () => {
    expect(ledger.history.transaction(id)).toMatchObject({
      transactionId: id,
      blockHashes: [including],
      acceptingBlockHash: undefined,
      spent: [{ amount: 10n ** 10n, address: alice.address, outpoint: { transactionId: funding } }],
    })
    const [accepting] = ledger.mine({ now: 0 }).result
    expect(ledger.history.transaction(id)?.acceptingBlockHash).toBe(accepting)
    expect(ledger.history.transaction('ab'.repeat(32))).toBeUndefined()
  })

  it('is all that an address ever sent and received, newest first', () => {
    expect(ledger.history.transactionIdsOf(alice.address)).toEqual([id, funding])
    expect(ledger.history.transactionIdsOf(bob.address)).toEqual([id])
    expect(ledger.history.transactionIdsOf(walletOf(0x77).address)).toEqual([])
  })

  it('goes back with the network', () => {
    const snapshot = ledger.snapshot()
    const { transactionId: later } = ledger.fund([{ address: bob.address, amount: 10n ** 9n }], { now: 0 }).result
    expect(ledger.history.transactionIdsOf(bob.address)).toEqual([later, id])
    ledger.revert(snapshot)
    expect(ledger.history.transactionIdsOf(bob.address)).toEqual([id])
    expect(toScriptPublicKey(bob.address).version).toBe(0)
  })
})

it('holds coins from the start, and names the one that cannot be', () => {
  const ledger = createLedger({
    genesisCoins: [
      { address: alice.address, amount: 5n },
      { address: bob.address, amount: 7n },
    ],
  })
  expect(ledger.truth.utxos().map(({ outpoint }) => outpoint.transactionId)).toEqual([
    `${'0'.repeat(48)}01${'0'.repeat(14)}`,
    `${'0'.repeat(48)}02${'0'.repeat(14)}`,
  ])
  expect(ledger.truth.virtualDaaScore()).toBe(0n)
  expect(() =>
    createLedger({
      genesisCoins: [
        { address: alice.address, amount: 5n },
        { address: 'nobody', amount: 7n },
      ],
    }),
  ).toThrow(expect.objectContaining({ argument: 'genesisCoins[1].address', code: 'invalid-argument' }))
})
