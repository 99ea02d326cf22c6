import { describe, expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { InterruptedPayment } from '../../../src/streams/wallet/interrupted.js'
import { creditOf, isDebit } from '../../../src/streams/wallet/match-payment.js'
import type { TransferEntry } from '../../../src/streams/transfers/history/entry.js'
import { ANNA, BERT } from './harness.js'

const TO = { address: BERT.address, amount: 7n }

const payment = (outputs: InterruptedPayment['outputs']): InterruptedPayment => ({
  id: '1',
  wallet: 'walletA',
  from: ANNA.address,
  outputs,
  startedAt: 100_000,
})

const utxo = (transactionId: string, fields: Partial<UtxoEntry> = {}): UtxoEntry => ({
  ...TO,
  outpoint: { transactionId, index: 0 },
  scriptPublicKey: { version: 0, script: '' },
  blockDaaScore: 50n,
  isCoinbase: false,
  ...fields,
})

describe('creditOf', () => {
  it.each([
    ['the recipient and the amount', [TO], [utxo('a')], 'a'],
    ['another amount', [TO], [utxo('a', { amount: 8n })], undefined],
    ['another address', [TO], [utxo('a', { address: ANNA.address })], undefined],
    ['an earlier block', [TO], [utxo('a', { blockDaaScore: 49n })], undefined],
    ["another payment's transaction", [TO], [utxo('taken'), utxo('b')], 'b'],
    ['two equal outputs, one credit', [TO, TO], [utxo('a')], undefined],
    ['two equal outputs, in two transactions', [TO, TO], [utxo('a'), utxo('b')], undefined],
    ['two equal outputs, both credited', [TO, TO], [utxo('a'), utxo('a')], 'a'],
  ])('%s', (_, outputs, entries, id) => {
    expect(creditOf(payment(outputs), entries, 50n, (known) => known === 'taken')).toBe(id)
  })
})

describe('isDebit', () => {
  const entry: TransferEntry = {
    transactionId: 'a',
    status: 'accepted',
    net: -9n,
    fee: 2n,
    timestamp: 100_000,
    acceptingBlueScore: 1n,
    isCoinbase: false,
    isInternal: true,
    counterparties: [BERT.address],
  }

  it.each([
    ['recipient, amount and time', {}, true],
    ['unconfirmed', { timestamp: null }, true],
    ['another amount', { net: -10n }, false],
    ['another recipient', { counterparties: [ANNA.address] }, false],
    ['before the payment began', { timestamp: 80_000 }, false],
    ['an unknown fee', { fee: null }, false],
    ['unknown recipients', { counterparties: null }, false],
  ])('%s', (_, fields, expected) => {
    expect(isDebit(payment([TO]), { ...entry, ...fields })).toBe(expected)
  })

  it('is none for a payment to itself', () => {
    expect(isDebit(payment([{ address: ANNA.address, amount: 7n }]), { ...entry, net: -2n })).toBe(false)
  })
})
