import { BehaviorSubject, NEVER, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { SerializedTransaction } from '../../../src/model/serialized-transaction.js'
import { decodeCursor } from '../../../src/model/chain-cursor/cursor.js'
import { encodeCursor } from '../../../src/model/chain-cursor/encode-cursor.js'
import type { FollowTransfersOptions } from '../../../src/streams/transfers/follow-transfers.js'
import type { Transfer, TransferBatch } from '../../../src/streams/transfers/transfer.js'
import { createWatchedAddresses } from '../../../src/streams/transfers/watched-addresses.js'
import { applyBatch, balanceOf, NO_ROWS, faultsOf, type Rows } from './shop.js'

const KAS = 100_000_000n
const BALANCE = 1_000n * KAS

let devnode: Devnode
let engine: ChainEngine
let alice: string
let bob: string

beforeEach(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 3, balance: BALANCE })
  ;[alice = '', bob = ''] = devnode.accounts.map(({ address }) => address)
  engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
  await engine.connection.connect()
})

afterEach(async () => {
  await engine.dispose()
  await devnode.close()
})

const genesis = (...addresses: string[]) => addresses.map((address) => ({ address, genesis: BALANCE }))
const transfersOf = (batches: readonly TransferBatch[]): readonly Transfer[] =>
  batches.flatMap(({ transactions }) => transactions.flatMap(({ transfers }) => transfers))

/** One process of an application. */
function run(options: Partial<FollowTransfersOptions>, from: Rows = NO_ROWS) {
  const batches = engine.followTransfers({ addresses: [alice], cursor: from.cursor, ...options })
  let state = from
  const seen: TransferBatch[] = []
  onTestFinished(async () => void (await batches.return?.()))
  return {
    state: () => state,
    seen: () => seen,
    /** Takes batches until the rows satisfy a condition. */
    async until(isDone: (batch: TransferBatch, state: Rows) => boolean): Promise<readonly TransferBatch[]> {
      for (const taken: TransferBatch[] = []; ;) {
        const { value } = await batches.next()
        if (value === undefined) throw new Error('The iteration ended')
        taken.push(value)
        seen.push(value)
        state = applyBatch(state, value)
        if (isDone(value, state)) return taken
      }
    },
    stop: () => batches.return?.(),
  }
}
const untilLive = ({ isLive }: TransferBatch): boolean => isLive
const has =
  (count: number) =>
  (_: TransferBatch, { rows }: Rows) =>
    rows.size >= count

describe('followTransfers', () => {
  it('begins with opening credits, then reports credits and debits with their transaction', async () => {
    const shop = run({ addresses: [alice] })
    const opening = await shop.until(untilLive)
    expect(transfersOf(opening)).toHaveLength(10) // the UTXOs of a devnode's account
    expect(transfersOf(opening)[0]).toMatchObject({ isOpening: true, acceptingBlockHash: null, timestamp: null })

    const id = await devnode.fund(alice, 5n * KAS)
    await devnode.mine()
    const batches = await shop.until(has(11))
    const [transaction] = batches.flatMap(({ transactions }) => transactions)
    expect(transaction).toMatchObject({ transactionId: id, net: 5n * KAS, fee: 0n })
    const [accepting] = devnode.expected.chain().slice(-1)
    expect(transaction?.transfers).toEqual([
      {
        address: alice,
        direction: 'credit',
        amount: 5n * KAS,
        outpoint: { transactionId: id, index: 0 },
        transactionId: id,
        acceptingBlockHash: accepting,
        acceptingBlueScore: 2n,
        acceptingDaaScore: expect.any(BigInt),
        timestamp: expect.any(Number),
        isCoinbase: false,
        isOpening: false,
        isChange: false,
        isInternal: false,
        counterparties: [expect.stringMatching(/^kaspasim:/)],
      },
    ])
    expect(faultsOf(shop.state(), devnode, genesis(alice))).toEqual([])
  })

  it('names change, internal payments and counterparties, and reports an output that is created and spent in one block', async () => {
    await engine.wasm.init()
    const shop = run({ addresses: [alice] })
    await shop.until(untilLive)
    const { privateKeyHex } = devnode.accounts[0]!
    const pay = async (amount: bigint, entries = engine.rpc.getUtxosByAddresses([alice])) =>
      engine.transactions.send({
        entries: await entries,
        outputs: [{ address: bob, amount }],
        changeAddress: alice,
        privateKeys: [privateKeyHex],
      })
    const {
      transactionIds: [first = ''],
    } = await pay(BALANCE / 10n - 2n * KAS)
    await devnode.mine()
    await devnode.mine()
    await shop.until(has(12))
    const [payment] = shop
      .seen()
      .flatMap(({ transactions }) => transactions)
      .slice(-1)
    expect(payment?.transactionId).toBe(first)
    const [debit, change] = payment!.transfers
    expect(debit).toMatchObject({ direction: 'debit', isInternal: true, isChange: false, counterparties: [bob] })
    expect(change).toMatchObject({ direction: 'credit', isInternal: true, isChange: true, counterparties: [] })
    expect(payment?.net).toBe(-(BALANCE / 10n - 2n * KAS + (payment?.fee ?? 0n)))
    expect(faultsOf(shop.state(), devnode, genesis(alice))).toEqual([])
  })

  it('names the change of an own payment whose changeAddress is no input, also after a restart', async () => {
    await engine.wasm.init()
    const { address: carol } = devnode.accounts[2]!
    const { privateKeyHex } = devnode.accounts[0]!
    const stored: SerializedTransaction[] = []
    const settings = {
      entries: await engine.rpc.getUtxosByAddresses([alice]),
      outputs: [{ address: bob, amount: KAS }],
      changeAddress: carol,
      privateKeys: [privateKeyHex],
    }
    const store = { onSigned: (payments: readonly SerializedTransaction[]) => void stored.push(...payments) }
    await engine.transactions.send(settings, store)
    await devnode.mine(2)
    const { cursor } = (await engine.followTransfers({ addresses: [carol] }).next()).value!
    await devnode.fund(carol, 2n * KAS) // by another party
    const entries = await engine.rpc.getUtxosByAddresses([alice])
    await engine.transactions.send({ ...settings, entries }, store)
    await devnode.mine(2)
    const credits = async (by: ChainEngine) => {
      for await (const batch of by.followTransfers({ addresses: [carol, bob], cursor })) {
        const transfers = transfersOf([batch])
        if (transfers.length < 3) continue
        return Object.fromEntries(transfers.map(({ address, amount, isChange }) => [`${address} ${amount}`, isChange]))
      }
      return {}
    }
    const expected = await credits(engine)
    expect(Object.values(expected).sort()).toEqual([false, false, true])

    const later = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
    await later.connection.connect()
    expect(Object.values(await credits(later))).not.toContain(true)
    await (await later.transactions.restore(stored.at(-1)!)).submit()
    expect(await credits(later)).toEqual(expected)
    await later.dispose()
  })

  it('deletes what a reorg removed, and adds what the new branch accepts', async () => {
    const shop = run({ addresses: [alice] })
    await shop.until(untilLive)
    const dropped = await devnode.fund(alice, 5n * KAS)
    const kept = await devnode.fund(alice, 7n * KAS)
    await devnode.mine(2)
    await shop.until(has(12))
    await devnode.reorg({ depth: 4, drop: [dropped, kept] })
    const batches = await shop.until(({ rollback }) => rollback !== null)
    expect(batches.at(-1)?.rollback).toMatchObject({ blueScore: 0n })
    expect(faultsOf(shop.state(), devnode, genesis(alice))).toEqual([])
  })

  it('reports opening credits again after a rollback below the starting block', async () => {
    await devnode.mine(3)
    const payment = await devnode.fund(alice, 5n * KAS)
    await devnode.mine(2)
    const shop = run({ addresses: [alice] })
    await shop.until(untilLive)
    expect(shop.state().rows.size).toBe(11)
    await devnode.reorg({ depth: 4, drop: [payment] })
    await devnode.mine()
    const batches = await shop.until(({ rollback }) => rollback !== null)
    const reopened = transfersOf(batches.slice(-1))
    expect(reopened.filter(({ isOpening }) => isOpening)).toHaveLength(10)
    expect(faultsOf(shop.state(), devnode, genesis(alice))).toEqual([])
  })

  it('reports a rollback below the starting block without a further block, although the old branch is a tip with payments', async () => {
    await devnode.mine(3)
    await devnode.fund(alice, 5n * KAS)
    await devnode.mine()
    const shop = run({ addresses: [alice] })
    await shop.until(untilLive)
    await devnode.reorg({ depth: 4 })
    await shop.until(({ rollback }) => rollback !== null)
    expect(faultsOf(shop.state(), devnode, genesis(alice))).toEqual([])
  })

  it('continues from a stored cursor in another process, after a reorg while it was down', async () => {
    const first = run({ addresses: [alice] })
    await first.until(untilLive)
    const dropped = await devnode.fund(alice, 5n * KAS)
    await devnode.mine(2)
    await first.until(has(11))
    await first.stop()

    await devnode.reorg({ depth: 2, drop: [dropped] })
    await devnode.fund(alice, 9n * KAS)
    await devnode.mine(2)
    const second = run({ addresses: [alice] }, first.state())
    const [batch] = await second.until(untilLive)
    expect(batch?.rollback).not.toBeNull()
    expect(faultsOf(second.state(), devnode, genesis(alice))).toEqual([])
  })

  it('reports opening credits again in another process whose cursor begins above the fork point', async () => {
    await devnode.mine(5)
    const first = run({ addresses: [alice] })
    await first.until(untilLive)
    await first.stop()
    await devnode.reorg({ depth: 3 })
    await devnode.mine()
    const second = run({ addresses: [alice] }, first.state())
    await second.until(untilLive)
    expect(second.state().rows.size).toBe(10)
    expect(faultsOf(second.state(), devnode, genesis(alice))).toEqual([])
  })

  it('reports opening credits of an added address again in another process, after a reorg below its addition', async () => {
    const watched = createWatchedAddresses([alice])
    const first = run({ addresses: watched })
    await first.until(untilLive)
    await devnode.mine(3)
    await first.until(untilLive)
    watched.add(bob)
    const batches = await first.until(({ added }) => added.length > 0)
    const addedAfter = batches.at(-1)?.addedAfter ?? 0n
    expect(addedAfter).toBeGreaterThan(0n)
    await first.stop()

    await devnode.reorg({ depth: 2 })
    await devnode.mine()
    const findOpenings = (score: bigint) => (addedAfter > score ? [{ address: bob, blueScore: addedAfter }] : [])
    const second = run({ addresses: [alice, bob], findOpenings }, first.state())
    await second.until(untilLive)
    expect(faultsOf(second.state(), devnode, genesis(alice, bob))).toEqual([])
  })

  it('keeps rows of an address that counts since before the iteration began, after a restart and a reorg between', async () => {
    const [first = ''] = await devnode.mine(2)
    await devnode.fund(bob, KAS)
    await devnode.mine(3)
    const probe = engine.followTransfers({ addresses: [], from: first })
    const since = (await probe.next()).value?.cursor ?? ''
    await probe.return?.()
    const watched = createWatchedAddresses([alice])
    const before = run({ addresses: watched })
    await before.until(untilLive)
    const begun = decodeCursor(before.state().cursor, 'simnet').tip.blueScore
    watched.add(bob, { since })
    const batches = await before.until(({ added }) => added.length > 0)
    const openedAt = batches.at(-1)?.addedAfter ?? 0n
    await before.stop()

    await devnode.reorg({ depth: 1 })
    await devnode.mine()
    const findOpenings = (score: bigint) =>
      [
        { address: alice, blueScore: begun },
        { address: bob, blueScore: openedAt },
      ].filter(({ blueScore }) => blueScore > score)
    const { cursor, rows } = before.state()
    const unnamed = encodeCursor(decodeCursor(cursor, 'simnet'), 'simnet') // as where it names 300 newer addresses
    const after = run({ addresses: [alice, bob], findOpenings }, { rows, cursor: unnamed })
    await after.until(untilLive)
    expect(faultsOf(after.state(), devnode, genesis(alice, bob))).toEqual([])
    await after.stop()
  })

  it('counts UTXOs that are older than a block in the past, also those that were spent since', async () => {
    await engine.wasm.init()
    const [, , third = ''] = await devnode.mine(3)
    const { privateKeyHex } = devnode.accounts[0]!
    await engine.transactions.sweep({
      entries: await engine.rpc.getUtxosByAddresses([alice]),
      to: bob,
      privateKeys: [privateKeyHex],
    })
    await devnode.fund(alice, 3n * KAS)
    await devnode.mine(3)
    const shop = run({ addresses: [alice, bob], from: third })
    await shop.until(untilLive)
    const credits = [...shop.state().rows.values()].filter(({ isOpening }) => isOpening)
    expect(credits).toHaveLength(20)
    expect(faultsOf(shop.state(), devnode, genesis(alice, bob))).toEqual([])
  })

  it('waits for the chain where the index has already spent what a block beyond the sink spends', async () => {
    await engine.wasm.init()
    const { privateKeyHex } = devnode.accounts[0]!
    await engine.transactions.sweep({
      entries: await engine.rpc.getUtxosByAddresses([alice]),
      to: bob,
      privateKeys: [privateKeyHex],
    })
    const [sink] = await devnode.mine() // includes the payment; only virtual has accepted it
    expect(devnode.expected.utxos([alice])).toEqual([])
    // the chain accepts it after the index was read
    devnode.faults.injectBlock({ before: 'reply', method: 'getBlocks' })
    const shop = run({ addresses: [alice], from: sink })
    await shop.until(has(20))
    expect(faultsOf(shop.state(), devnode, genesis(alice))).toEqual([])
  })

  it('counts an address that is added while it runs, with its older UTXOs, in one batch', async () => {
    const watched = createWatchedAddresses([alice])
    const shop = run({ addresses: watched })
    await shop.until(untilLive)
    await devnode.mine(2)
    watched.add(bob)
    const batches = await shop.until(({ added }) => added.length > 0)
    expect(batches.at(-1)).toMatchObject({ added: [bob], rollback: null })
    expect(transfersOf(batches.slice(-1)).every(({ isOpening, address }) => isOpening && address === bob)).toBe(true)
    await devnode.fund(bob, 4n * KAS)
    await devnode.mine()
    await shop.until(has(21))
    expect(faultsOf(shop.state(), devnode, genesis(alice, bob))).toEqual([])
    watched.delete(alice)
    await devnode.fund(alice, KAS)
    await devnode.fund(bob, KAS)
    await devnode.mine()
    await shop.until(has(22))
    expect([...shop.state().rows.values()].filter(({ address }) => address === alice)).toHaveLength(10)
  })

  it('follows changes of a set from the first call of next() on, also with a cursor', async () => {
    const first = run({ addresses: [alice] })
    await first.until(untilLive)
    await first.stop()
    const watched = createWatchedAddresses([alice])
    const second = run({ addresses: watched }, first.state())
    const added = second.until((batch) => batch.added.length > 0)
    watched.add(bob)
    expect((await added).at(-1)).toMatchObject({ added: [bob] })
    expect(faultsOf(second.state(), devnode, genesis(alice, bob))).toEqual([])
  })

  it('counts an added address since a cursor', async () => {
    const watched = createWatchedAddresses([alice])
    const shop = run({ addresses: watched })
    await shop.until(untilLive)
    const { cursor } = shop.state()
    await devnode.fund(bob, 4n * KAS)
    await devnode.fund(bob, 5n * KAS)
    await devnode.fund(alice, 5n * KAS)
    await devnode.mine()
    await shop.until(has(11))
    watched.add(bob, { since: cursor })
    const batches = await shop.until(({ added }) => added.length > 0)
    const added = transfersOf(batches.slice(-1))
    expect(added.filter(({ isOpening }) => isOpening)).toHaveLength(10)
    expect(added.filter(({ isOpening }) => !isOpening).map(({ amount }) => amount)).toEqual([4n * KAS, 5n * KAS])
    expect(faultsOf(shop.state(), devnode, genesis(alice, bob))).toEqual([])
  })

  it('reports the opening credits of an added address again after a restart and a reorg past its addition', async () => {
    await devnode.mine(2)
    const watched = createWatchedAddresses([alice])
    const first = run({ addresses: watched })
    await first.until(untilLive)
    await devnode.mine(3)
    await first.until((batch) => batch.isLive && batch.transactions.length === 0)
    watched.add(bob)
    await first.until(({ added }) => added.length > 0)
    await first.stop()

    await devnode.reorg({ depth: 2 })
    await devnode.mine()
    const second = run({ addresses: createWatchedAddresses([alice, bob]) }, first.state())
    const batches = await second.until(({ isLive }) => isLive)
    expect(batches.some(({ rollback }) => rollback !== null)).toBe(true)
    expect(faultsOf(second.state(), devnode, genesis(alice, bob))).toEqual([])
    await second.stop()

    const third = run({ addresses: createWatchedAddresses([alice, bob]) }, second.state())
    await devnode.reorg({ depth: 3 })
    await devnode.mine()
    await third.until(({ isLive, rollback }) => isLive && rollback !== null)
    expect(faultsOf(third.state(), devnode, genesis(alice, bob))).toEqual([])
    await third.stop()
  })

  it('adds the addresses of an observable that have joined while the program was down', async () => {
    const first = run({ addresses: [alice] })
    await first.until(untilLive)
    await devnode.mine(2)
    await first.until(untilLive)
    await first.stop()
    await devnode.fund(bob, 4n * KAS)
    await devnode.mine(2)
    const second = run({ addresses: of([alice, bob]), counted: [alice] }, first.state())
    const batches = await second.until((_, state) => balanceOf(state, bob) === BALANCE + 4n * KAS)
    expect(batches.flatMap(({ added }) => added)).toEqual([bob])
    expect(faultsOf(second.state(), devnode, genesis(alice, bob))).toEqual([])
  })

  it('counts an address once that is deleted and added again before it counts', async () => {
    const watched = createWatchedAddresses([alice])
    const shop = run({ addresses: watched })
    await shop.until(untilLive)
    watched.add(bob)
    devnode.faults.delay({ ms: 20 })
    const counted = shop.until(({ added }) => added.length > 0)
    await engine.rpc.getSink() // after the first request of the pass, which needs several, one after the other
    watched.delete(bob)
    watched.add(bob)
    await counted
    devnode.faults.clear()
    await devnode.fund(alice, KAS)
    await devnode.mine(2)
    await shop.until(has(21))
    expect(faultsOf(shop.state(), devnode, genesis(alice, bob))).toEqual([])
  })

  it('names payments between an address that counts and an added one as internal', async () => {
    await engine.wasm.init()
    const { privateKeyHex } = devnode.accounts[0]!
    const watched = createWatchedAddresses([alice])
    const shop = run({ addresses: watched })
    await shop.until(untilLive)
    const { cursor } = shop.state()
    await engine.transactions.sweep({
      entries: await engine.rpc.getUtxosByAddresses([alice]),
      to: bob,
      privateKeys: [privateKeyHex],
    })
    await devnode.mine(2)
    await shop.until(has(20))
    watched.add(bob, { since: cursor })
    const batches = await shop.until(({ added }) => added.length > 0)
    const [received] = transfersOf(batches.slice(-1)).filter(({ isOpening }) => !isOpening)
    expect(received).toMatchObject({ address: bob, isInternal: true, counterparties: [] })
  })

  it('recognises debits of an added address in a block that accepts a non-standard script', async () => {
    await engine.wasm.init()
    const watched = createWatchedAddresses([alice])
    const shop = run({ addresses: watched })
    await shop.until(untilLive)
    const { cursor } = shop.state()
    const { address: carol, privateKeyHex } = devnode.accounts[2]!
    await devnode.fund(carol, 3n * KAS)
    await devnode.mine(450) // more than a page
    await devnode.mine(1, { script: '51' })
    await devnode.mine()
    await engine.transactions.sweep({
      entries: await engine.rpc.getUtxosByAddresses([carol]),
      to: bob,
      privateKeys: [privateKeyHex],
    })
    await devnode.mine(3, { script: '51' })
    await devnode.mine(2)
    watched.add(carol, { since: cursor })
    await shop.until(({ added }) => added.length > 0)
    expect(faultsOf(shop.state(), devnode, genesis(alice, carol))).toEqual([])
  })

  it('recognises debits in a block that accepts a non-standard script', async () => {
    await engine.wasm.init()
    const { privateKeyHex } = devnode.accounts[0]!
    const shop = run({ addresses: [alice] })
    await shop.until(untilLive)
    await devnode.mine(1, { script: '51' })
    await devnode.mine()
    await engine.transactions.sweep({
      entries: await engine.rpc.getUtxosByAddresses([alice]),
      to: bob,
      privateKeys: [privateKeyHex],
    })
    await devnode.mine(3, { script: '51' })
    await devnode.mine(2)
    await shop.until((_, { rows }) => rows.size === 20)
    expect(faultsOf(shop.state(), devnode, genesis(alice))).toEqual([])
  })

  it.each([
    ['a text that is no address', { addresses: ['kaspasim:nonsense'] }, 'addresses[0]'],
    [
      'an address of another network',
      { addresses: ['kaspa:qpauqsvk7yf9unexwmxsnmg547mhyga37csh0kj53q6xxgl24ydxjsgzthw5j'] },
      'addresses[0]',
    ],
    ['a damaged cursor', { cursor: 'AQMB' }, 'cursor'],
    ['an unknown option', { confirmations: 3 }, 'confirmations'],
  ] as const)('rejects %s before anything is sent', async (_, options, argument) => {
    const batches = engine.followTransfers({ addresses: [alice], ...options })
    await expect(batches.next()).rejects.toMatchObject({ code: 'invalid-argument', argument })
  })

  it('ends a pending request of return() and of a signal', async () => {
    const ended = run({ addresses: [alice] })
    await ended.until(untilLive)
    const pending = ended.until(() => true)
    await ended.stop()
    await expect(pending).rejects.toThrow('The iteration ended')

    const controller = new AbortController()
    const aborted = run({ addresses: [alice], signal: controller.signal })
    await aborted.until(untilLive)
    const waiting = aborted.until(() => true)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('followTransfers of an observable of lists', () => {
  it('rejects where a later list has what is no address', async () => {
    const lists$ = new BehaviorSubject([alice])
    const shop = run({ addresses: lists$ })
    await shop.until(untilLive)
    lists$.next([alice, 'kaspasim:nonsense'])
    await expect(shop.until(() => false)).rejects.toMatchObject({ code: 'invalid-argument' })
  })

  it('rejects with the error of the observable', async () => {
    const lists$ = new BehaviorSubject([alice])
    const shop = run({ addresses: lists$ })
    await shop.until(untilLive)
    lists$.error(new Error('The table of orders cannot be read'))
    await expect(shop.until(() => false)).rejects.toThrow('The table of orders cannot be read')
  })

  it('ends with the signal, and with the engine, also before the first list', async () => {
    const stopped = new AbortController()
    const aborted = run({ addresses: NEVER, signal: stopped.signal }).until(() => false)
    stopped.abort()
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' })
    const disposed = run({ addresses: NEVER }).until(() => false)
    void engine.dispose()
    await expect(disposed).rejects.toMatchObject({ code: 'disposed' })
  })
})
