import { expect, it } from 'vitest'
import { createLedger } from '../../../src/devnode/ledger/ledger.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { utxosOf, FEE, walletOf } from './wallet.js'
import { notificationsOf } from './simnet.js'

const [alice, bob] = [walletOf(0x33), walletOf(0x44)]

const start = () => {
  const ledger = createLedger({ genesisUtxos: [{ address: alice.address, amount: 10_000_000_000n }] })
  const payment = alice.pay(utxosOnGenesis(), [{ to: bob.address, amount: 10_000_000_000n - FEE }])
  const submit = () => ledger.call('submitTransaction', { transaction: payment, allowOrphan: false }, 0)
  return { ledger, submit, id: transactionId(payment) }
}

function utxosOnGenesis() {
  const [utxo] = utxosOf(alice.address, 1)
  const outpoint = { transactionId: '0'.repeat(48) + '01' + '0'.repeat(14), index: 0 }
  return [{ ...utxo!, outpoint }]
}

it('reverts to a snapshot exactly, repeatedly', () => {
  const { ledger, submit, id } = start()
  ledger.mine({ now: 0, count: 3, parallel: 2 })
  submit()
  const expected = () => ({
    utxos: ledger.expected.utxos(),
    accepted: ledger.expected.accepted(),
    mempool: ledger.expected.mempool(),
    chain: ledger.expected.chain(),
    score: ledger.expected.virtualDaaScore(),
  })
  const before = expected()
  const snapshot = ledger.snapshot()
  for (let round = 0; round < 2; round++) {
    ledger.mine({ now: 0, count: 4 })
    ledger.reorg({ now: 0, depth: 2, drop: [id] })
    expect(expected()).not.toEqual(before)
    ledger.revert(snapshot)
    expect(expected()).toEqual(before)
  }
})

it('emits the notifications of a reorg on revert', () => {
  const { ledger, submit } = start()
  ledger.mine({ now: 0, count: 2 })
  const snapshot = ledger.snapshot()
  const before = ledger.expected.utxos()
  submit()
  ledger.mine({ now: 0, count: 3 })
  const removed = ledger.expected.chain().slice(3).reverse()
  const after = new Map(ledger.expected.utxos().map((entry) => [JSON.stringify(entry.outpoint), entry]))
  const { events } = ledger.revert(snapshot)
  expect(notificationsOf(events, 'virtual-chain-changed')).toEqual([
    { removedChainBlockHashes: removed, addedChainBlockHashes: [], acceptedTransactionIds: [] },
  ])
  const [change] = notificationsOf(events, 'utxos-changed')
  for (const entry of change?.removed ?? []) after.delete(JSON.stringify(entry.outpoint))
  for (const entry of change?.added ?? []) after.set(JSON.stringify(entry.outpoint), entry)
  expect(new Set(after.values())).toEqual(new Set(before))
})

it('admits a transaction again after a revert', () => {
  const { ledger, submit, id } = start()
  const snapshot = ledger.snapshot()
  submit()
  ledger.mine({ now: 0, count: 2 })
  expect(submit()).toEqual({
    ok: false,
    message: `Rejected transaction ${id}: transaction ${id} was already accepted by the consensus`,
  })
  ledger.revert(snapshot)
  expect(submit()).toEqual({ ok: true, value: { transactionId: id } })
})

it('rejects an unknown snapshot', () => {
  const { ledger } = start()
  expect(() => ledger.revert(0)).toThrow('There is no snapshot 0')
})
