import { expect, it } from 'vitest'
import { createLedger } from '../../../src/devnode/ledger/ledger.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { coinsOf, FEE, walletOf } from './wallet.js'
import { told } from './world.js'

const [alice, bob] = [walletOf(0x33), walletOf(0x44)]

const start = () => {
  const ledger = createLedger({ genesisCoins: [{ address: alice.address, amount: 10_000_000_000n }] })
  const payment = alice.pay(coinsOnGenesis(), [{ to: bob.address, amount: 10_000_000_000n - FEE }])
  const submit = () => ledger.answer('submitTransaction', { transaction: payment, allowOrphan: false }, 0)
  return { ledger, submit, id: transactionId(payment) }
}

/** The ledger counts its first coins from 1, little-endian. */
function coinsOnGenesis() {
  const [coin] = coinsOf(alice.address, 1)
  const outpoint = { transactionId: '0'.repeat(48) + '01' + '0'.repeat(14), index: 0 }
  return [{ ...coin!, outpoint }]
}

it('goes back to a snapshot exactly, as often as one likes', () => {
  const { ledger, submit, id } = start()
  ledger.mine({ now: 0, count: 3, parallel: 2 })
  submit()
  const truth = () => ({
    utxos: ledger.truth.utxos(),
    accepted: ledger.truth.accepted(),
    mempool: ledger.truth.mempool(),
    chain: ledger.truth.chain(),
    score: ledger.truth.virtualDaaScore(),
  })
  const before = truth()
  const snapshot = ledger.snapshot()
  for (let round = 0; round < 2; round++) {
    ledger.mine({ now: 0, count: 4 })
    ledger.reorg({ now: 0, depth: 2, drop: [id] })
    expect(truth()).not.toEqual(before)
    ledger.revert(snapshot)
    expect(truth()).toEqual(before)
  }
})

it('tells listeners of the way back as of a reorg', () => {
  const { ledger, submit } = start()
  ledger.mine({ now: 0, count: 2 })
  const snapshot = ledger.snapshot()
  const before = ledger.truth.utxos()
  submit()
  ledger.mine({ now: 0, count: 3 })
  const gone = ledger.truth.chain().slice(3).reverse()
  const after = new Map(ledger.truth.utxos().map((entry) => [JSON.stringify(entry.outpoint), entry]))
  const { events } = ledger.revert(snapshot)
  expect(told(events, 'virtual-chain-changed')).toEqual([
    { removedChainBlockHashes: gone, addedChainBlockHashes: [], acceptedTransactionIds: [] },
  ])
  const [change] = told(events, 'utxos-changed')
  for (const entry of change?.removed ?? []) after.delete(JSON.stringify(entry.outpoint))
  for (const entry of change?.added ?? []) after.set(JSON.stringify(entry.outpoint), entry)
  expect(new Set(after.values())).toEqual(new Set(before))
})

it('takes a transaction again that came after the snapshot', () => {
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

it('knows only the snapshots that were taken', () => {
  const { ledger } = start()
  expect(() => ledger.revert(0)).toThrow('There is no snapshot 0')
})
