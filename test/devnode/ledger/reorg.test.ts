import { describe, expect, it } from 'vitest'
import { createLedger } from '../../../src/devnode/ledger/ledger.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { recorded } from './recorded.js'
import { utxosOf, FEE, send, walletOf } from './wallet.js'
import { chainOf, mineOn, receive, scoreOf, simnet, notificationsOf } from './simnet.js'

const [alice, bob, dave] = [walletOf(0x33), walletOf(0x44), walletOf(0x77)]
const ALL = 10_000_000_000n - FEE

/** Recorded state while a longer branch arrives block by block. */
interface RecordedRow {
  readonly block: number
  readonly virtualDaaScore: string
  readonly removed: readonly [number]
  readonly added: readonly [number]
}

describe('a longer branch that arrives block by block', () => {
  const utxos = utxosOf(alice.address, 3)
  const [here, there] = [simnet(utxos), simnet(utxos)]
  const toBob = alice.pay([utxos[0]!], [{ to: bob.address, amount: ALL }])
  const onBoth = alice.pay([utxos[1]!], [{ to: bob.address, amount: ALL }])
  const old = alice.pay([utxos[2]!], [{ to: bob.address, amount: ALL }])
  const toDave = alice.pay([utxos[0]!], [{ to: dave.address, amount: ALL }])
  const scoresHere = (): readonly (bigint | undefined)[] =>
    [toBob, onBoth, old, toDave].map(
      (payment) => here.state.utxos.get({ transactionId: transactionId(payment), index: 0 })?.blockDaaScore,
    )

  mineOn(here, 3)
  send(here, old)
  mineOn(here, 5)
  send(here, toBob)
  send(here, onBoth)
  mineOn(here, 3)
  send(there, toDave)
  send(there, onBoth)
  mineOn(there, 20, dave.address)

  it('changes the chain in one notification once it outweighs the old one, with the scores of a real node', () => {
    const oldTip = here.state.chain.sink
    expect([scoreOf(here), ...scoresHere()]).toEqual([11n, 9n, 9n, 4n, undefined])
    const rows = chainOf(there).map((block, index) => {
      const change = notificationsOf(receive(here, block), 'virtual-chain-changed')[0]!
      return {
        block: index + 1,
        virtualDaaScore: String(scoreOf(here)),
        removed: [change.removedChainBlockHashes.length],
        added: [change.addedChainBlockHashes.length],
        isOldTipFirst: change.removedChainBlockHashes.length === 0 || change.removedChainBlockHashes[0] === oldTip,
      }
    })
    for (const { block, virtualDaaScore, removed, added } of recorded('reorg').rows as readonly RecordedRow[]) {
      // At equal weight the greater hash wins, and hashes differ: block 11 may already have moved the chain.
      if (block === 11 || block === 12) continue
      expect(rows[block - 1]).toMatchObject({ virtualDaaScore, removed, added, isOldTipFirst: true })
    }
    const moved = rows.filter(({ removed }) => removed[0] === 11)
    expect(moved).toHaveLength(1)
    expect(scoresHere()).toEqual([undefined, 1n, 31n, 1n])
  })

  it('removes the losing double spend, and accepts the other transactions of the old branch again', () => {
    expect(here.state.utxos.get({ transactionId: transactionId(toBob), index: 0 })).toBeUndefined()
    mineOn(here, 2)
    expect(scoresHere()).toEqual([undefined, 1n, 31n, 1n])
  })

  it('rejects a reverted transaction as already accepted', () => {
    const id = transactionId(toBob)
    expect(send(here, toBob)).toEqual({
      kind: 'rejected',
      message: `Rejected transaction ${id}: transaction ${id} was already accepted by the consensus`,
    })
  })
})

describe('reorg', () => {
  const start = () => {
    const ledger = createLedger({ genesisUtxos: [{ address: alice.address, amount: 10_000_000_000n }] })
    ledger.mine({ now: 0, count: 4 })
    const [utxo] = ledger.expected.utxos([alice.address])
    const payment = alice.pay([utxo!], [{ to: bob.address, amount: ALL }])
    ledger.call('submitTransaction', { transaction: payment, allowOrphan: false }, 0)
    ledger.mine({ now: 0, count: 3 })
    return { ledger, payment, id: transactionId(payment) }
  }

  it('replaces `depth` chain blocks by one more, and accepts their transactions again', () => {
    const { ledger, id } = start()
    const before = ledger.expected.chain()
    const { result, events } = ledger.reorg({ now: 0, depth: 4 })
    expect(result.removed).toEqual(before.slice(-4).reverse())
    expect(ledger.expected.chain()).toEqual([...before.slice(0, -4), ...result.added])
    expect(result.added).toHaveLength(5)
    expect(notificationsOf(events, 'block-added')).toHaveLength(5)
    expect(notificationsOf(events, 'virtual-chain-changed')).toHaveLength(1)
    expect(ledger.expected.accepted().flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds)).toContain(id)
    expect(ledger.expected.utxos([bob.address])).toHaveLength(1)
  })

  it.each([1, 2, 3])('outweighs %i chain blocks that have merged parallel blocks', (depth) => {
    const ledger = createLedger()
    ledger.mine({ now: 0, count: 5, parallel: 3 })
    const before = ledger.expected.chain()
    const { result, events } = ledger.reorg({ now: 0, depth })
    expect(result.removed).toEqual(before.slice(-depth).reverse())
    expect(ledger.expected.chain()).toEqual([...before.slice(0, -depth), ...result.added])
    const [change] = notificationsOf(events, 'virtual-chain-changed')
    expect(change).toMatchObject({ removedChainBlockHashes: result.removed, addedChainBlockHashes: result.added })
  })

  it('drops a payment permanently: its UTXO is unspent again, and no later block includes it', () => {
    const { ledger, id } = start()
    const { events } = ledger.reorg({ now: 0, depth: 4, drop: [id] })
    const [change] = notificationsOf(events, 'utxos-changed')
    expect(change?.added.map(({ address }) => address)).toContain(alice.address)
    expect(change?.removed.map(({ outpoint }) => outpoint.transactionId)).toContain(id)
    ledger.mine({ now: 0, count: 20, parallel: 2 })
    expect(ledger.expected.utxos([alice.address])).toHaveLength(1)
    expect(ledger.expected.utxos([bob.address])).toEqual([])
    expect(ledger.expected.mempool()).toEqual([])
  })

  it('double-spends a payment: its UTXO stays spent, and its outputs vanish', () => {
    const { ledger, id } = start()
    const { events } = ledger.reorg({ now: 0, depth: 4, doubleSpend: [id] })
    const [change] = notificationsOf(events, 'utxos-changed')
    expect(change?.removed.map(({ outpoint }) => outpoint.transactionId)).toContain(id)
    ledger.mine({ now: 0, count: 20, parallel: 2 }) // merges the old branch
    expect(ledger.expected.utxos([bob.address])).toEqual([])
    expect(ledger.expected.utxos([alice.address])).toMatchObject([{ amount: 9_999_990_000n }])
    expect(ledger.expected.accepted().flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds)).not.toContain(id)
  })

  it('drops the descendants of a dropped payment', () => {
    const { ledger, payment, id } = start()
    const [paid] = ledger.expected.utxos([bob.address])
    const onward = bob.pay([paid!], [{ to: dave.address, amount: ALL - FEE }])
    ledger.call('submitTransaction', { transaction: onward, allowOrphan: false }, 0)
    ledger.mine({ now: 0, count: 2 })
    expect(ledger.expected.utxos([dave.address])).toHaveLength(1)
    ledger.reorg({ now: 0, depth: 6, drop: [id] })
    ledger.mine({ now: 0, count: 5 })
    expect(ledger.expected.utxos([dave.address])).toEqual([])
    expect(payment.inputs).toHaveLength(1)
    expect(ledger.expected.utxos([alice.address])).toHaveLength(1)
  })

  it('keeps the UTXOs over repeated reorgs', () => {
    const { ledger } = start()
    const paid = (): readonly (readonly [string, bigint])[] =>
      [alice, bob].flatMap(({ address }) =>
        ledger.expected.utxos([address]).map(({ amount }) => [address, amount] as const),
      )
    const before = paid()
    ledger.reorg({ now: 0, depth: 3 })
    expect(paid()).toEqual(before)
    ledger.reorg({ now: 0, depth: 4 })
    expect(paid()).toEqual(before)
  })

  it('can exceed the mergeset limit: later blocks merge the remaining ones', () => {
    const ledger = createLedger()
    ledger.mine({ now: 0, count: 300 })
    ledger.reorg({ now: 0, depth: 300 })
    expect(ledger.expected.chain()).toHaveLength(302)
    ledger.mine({ now: 0, count: 3 })
    expect(ledger.expected.virtualDaaScore()).toBe(604n)
  })

  it('rejects a depth outside the chain', () => {
    const { ledger } = start()
    for (const depth of [0, -1, 1.5, 8])
      expect(() => ledger.reorg({ now: 0, depth })).toThrow(`A reorg replaces 1 to 7 blocks, not ${String(depth)}`)
  })
})
