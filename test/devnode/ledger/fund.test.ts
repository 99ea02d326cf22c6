import { describe, expect, it } from 'vitest'
import { toGenesisEntries } from '../../../src/devnode/ledger/create-network.js'
import { createLedger } from '../../../src/devnode/ledger/ledger.js'
import { faucetAddress, payFromFaucet } from '../../../src/devnode/ledger/steps/fund.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { storageMass } from '../../../src/model/mass.js'
import { NETWORKS } from '../../../src/model/network.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { validateScripts } from '../../../src/script/verify.js'
import { FEE, walletOf } from './wallet.js'
import { notificationsOf, simnet } from './simnet.js'

const [alice, bob] = [walletOf(0x33), walletOf(0x44)]

describe('fund', () => {
  it('pays from the faucet in one block, and the UTXOs can be spent at once', () => {
    const ledger = createLedger({ faucet: 10n ** 17n })
    const { result, events } = ledger.fund([{ address: alice.address, amount: 123_456_789n }], { now: 0 })
    expect(ledger.expected.chain()).toHaveLength(2)
    const [utxo] = ledger.expected.utxos([alice.address])
    expect(utxo).toMatchObject({
      amount: 123_456_789n,
      isCoinbase: false,
      outpoint: { transactionId: result.transactionId },
    })
    expect(notificationsOf(events, 'utxos-changed')[0]?.added).toContainEqual(utxo)
    const payment = alice.pay([utxo!], [{ to: bob.address, amount: 123_456_789n - FEE }])
    expect(ledger.call('submitTransaction', { transaction: payment, allowOrphan: false }, 0)).toEqual({
      ok: true,
      value: { transactionId: transactionId(payment) },
    })
  })

  it.each(['nothing', 'covenant'] as const)(
    'signs a payment that begins %s, which its blocks do not verify',
    (begins) => {
      const { addressPrefix } = NETWORKS.simnet
      const spent = toGenesisEntries(NETWORKS.simnet, [{ address: faucetAddress(addressPrefix), amount: 10n ** 12n }])
      const outputs = [{ value: 10n ** 9n, scriptPublicKey: toScriptPublicKey(alice.address) }]
      const { transaction } = payFromFaucet(simnet(spent).state, addressPrefix, outputs, begins)
      expect(validateScripts(transaction, spent)).toBeUndefined()
      expect(transaction.mass).toBe(storageMass(transaction, spent))
    },
  )

  it('pays several addresses in one block', () => {
    const ledger = createLedger({ faucet: 10n ** 17n })
    ledger.fund(
      [
        { address: alice.address, amount: 10n ** 9n },
        { address: bob.address, amount: 10n ** 10n },
      ],
      { now: 0 },
    )
    const balance = (address: string) => ledger.call('getBalanceByAddress', { address }, 0)
    expect([balance(alice.address), balance(bob.address)]).toEqual([
      { ok: true, value: { balance: 10n ** 9n } },
      { ok: true, value: { balance: 10n ** 10n } },
    ])
  })

  it('pays by coinbase, and the UTXO is immature', () => {
    const ledger = createLedger()
    const { result } = ledger.fund([{ address: alice.address, amount: 777n }], { now: 0, as: 'coinbase' })
    expect(ledger.expected.utxos([alice.address])).toMatchObject([
      { amount: 777n, isCoinbase: true, blockDaaScore: 2n, outpoint: { transactionId: result.transactionId } },
    ])
  })

  it('rejects an invalid address, zero, and amounts above the faucet or below the storage mass limit', () => {
    const ledger = createLedger({ faucet: 10n ** 12n })
    const fund = (address: string, amount: bigint) => () => ledger.fund([{ address, amount }], { now: 0 })
    expect(fund('kaspa:x', 1n)).toThrow('"kaspa:x" is no address of simnet')
    expect(fund(alice.address, 0n)).toThrow('0 sompi cannot be paid')
    expect(fund(alice.address, 10n ** 12n)).toThrow('The faucet has insufficient funds')
    expect(fund(alice.address, 1000n)).toThrow('The amount is too small to be paid: transaction storage mass of')
    expect(() => createLedger().fund([{ address: alice.address, amount: 10n ** 9n }], { now: 0 })).toThrow(
      'The faucet has insufficient funds',
    )
    expect(ledger.expected.chain()).toHaveLength(1)
  })
})

describe('history', () => {
  const ledger = createLedger({ faucet: 10n ** 17n })
  const { transactionId: funding } = ledger.fund([{ address: alice.address, amount: 10n ** 10n }], { now: 0 }).result
  const [utxo] = ledger.expected.utxos([alice.address])
  const payment = alice.pay([utxo!], [{ to: bob.address, amount: 10n ** 10n - FEE }])
  ledger.call('submitTransaction', { transaction: payment, allowOrphan: false }, 0)
  const [including] = ledger.mine({ now: 0 }).result
  const id = transactionId(payment)

  it('has a transaction with its block, spent UTXOs, and accepting block once accepted', () => {
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

  it('lists all transactions of an address, newest first', () => {
    expect(ledger.history.transactionIdsOf(alice.address)).toEqual([id, funding])
    expect(ledger.history.transactionIdsOf(bob.address)).toEqual([id])
    expect(ledger.history.transactionIdsOf(walletOf(0x77).address)).toEqual([])
  })

  it('follows a revert to a snapshot', () => {
    const snapshot = ledger.snapshot()
    const { transactionId: later } = ledger.fund([{ address: bob.address, amount: 10n ** 9n }], { now: 0 }).result
    expect(ledger.history.transactionIdsOf(bob.address)).toEqual([later, id])
    ledger.revert(snapshot)
    expect(ledger.history.transactionIdsOf(bob.address)).toEqual([id])
    expect(toScriptPublicKey(bob.address).version).toBe(0)
  })
})

it('creates genesis UTXOs, and names an invalid one', () => {
  const ledger = createLedger({
    genesisUtxos: [
      { address: alice.address, amount: 5n },
      { address: bob.address, amount: 7n },
    ],
  })
  expect(ledger.expected.utxos().map(({ outpoint }) => outpoint.transactionId)).toEqual([
    `${'0'.repeat(48)}01${'0'.repeat(14)}`,
    `${'0'.repeat(48)}02${'0'.repeat(14)}`,
  ])
  expect(ledger.expected.virtualDaaScore()).toBe(0n)
  expect(() =>
    createLedger({
      genesisUtxos: [
        { address: alice.address, amount: 5n },
        { address: 'invalid', amount: 7n },
      ],
    }),
  ).toThrow(expect.objectContaining({ argument: 'genesisUtxos[1].address', code: 'invalid-argument' }))
})
