import { describe, expect, it, onTestFinished } from 'vitest'
import { filter, firstValueFrom, type Observable } from 'rxjs'
import { createContracts, type InstanceView, type UnconfirmedCall } from '../../src/contracts/index.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { putRows, rollbackRows, type ContractRow, type ContractRows } from '../../src/model/contracts/rows.js'
import { toOutpointKey } from '../../src/model/utxo.js'
import { light } from '../../src/sdk/light/light.js'
import type { ContractBatch, ContractBatches } from '../../src/streams/contracts/follow-contracts.js'
import { pollMined } from '../poll-mined.js'
import { eachTest } from '../lifetimes.js'
import { Counter } from '../contract-calls/counter-rows.js'
import { Vault, vaultOf } from '../contract-calls/key-rows.js'
import { owned, Token } from '../contract-calls/token-rows.js'
import { ALICE, BOB } from '../contract-calls/transaction.js'
import { deployCounter, openContracts, type CounterInstance } from './harness.js'

/** Instances that follow the chain: states by construction, by execution and by the spend; reorgs; cursors. */

const harness = eachTest(() => openContracts({ count: 12 }))

const deployed = (count?: bigint): Promise<CounterInstance> => deployCounter(harness, count)

/** A call by another process, so that this one has to derive the state. */
async function callElsewhere(instance: CounterInstance, step: bigint, mined = 2): Promise<string> {
  const { devnode, engine, funding, keys } = harness
  const elsewhere = createContracts({ engine })
  const snapshot = instance.outputs.map(({ outpoint, value, state }) => ({ outpoint, value, state: state! }))
  const there = elsewhere.instance(Counter, instance.genesis, { snapshot })
  await firstValueFrom(live(there.view$)) // its state
  const plan = await elsewhere.transaction([there.call.increment({ step })], funding())
  const { transactionIds } = await plan.send(keys)
  await devnode.mine(mined)
  return transactionIds[0]!
}

const live = <S>(view$: Observable<InstanceView<S>>) => view$.pipe(filter(({ isLive }) => isLive))

const stateOf = <S>(view$: Observable<InstanceView<S>>, wanted: (view: InstanceView<S>) => boolean) =>
  firstValueFrom(view$.pipe(filter(wanted)))

describe('an instance', () => {
  it('shows an own call before it is accepted, and others as the chain accepts them', async () => {
    const { contracts, devnode, funding, keys } = harness
    const instance = await deployed()
    const views: (bigint | undefined)[] = []
    const subscription = instance.state$.subscribe((state) => views.push(state?.count))
    await firstValueFrom(live(instance.view$))
    const plan = await contracts.transaction([instance.call.increment({ step: 3n })], funding())
    await plan.send(keys)
    await stateOf(
      instance.view$,
      ({ outputs }) => outputs[0]?.isUnconfirmed === true && outputs[0].state?.count === 10n,
    )
    await devnode.mine(2)
    await stateOf(instance.view$, ({ outputs }) => outputs[0]?.isUnconfirmed === false)
    const foreign = await callElsewhere(instance, 2n)
    const view = await stateOf(instance.view$, ({ state }) => state?.count === 12n)
    expect(view).toMatchObject({ isIncomplete: false, error: null })
    expect(view.history.map(({ state, spentBy }) => [state!.count, spentBy!.entry, spentBy!.arguments])).toEqual([
      [7n, 'increment', { step: 3n }],
      [10n, 'increment', { step: 2n }],
    ])
    expect(view.history[1]!.spentBy!.transactionId).toBe(foreign)
    expect(views.at(-1)).toBe(12n)
    subscription.unsubscribe()
  })

  it('goes to the other state where a reorg lets another call win, and can be called then', async () => {
    const { contracts, devnode, funding, keys } = harness
    const instance = await deployed()
    const other = await devnode.fork()
    const away = createChainEngine({ ...other.engineOptions, sdk: light })
    await away.connection.connect()
    await away.wasm.init()
    const subscription = instance.view$.subscribe()
    await (await contracts.transaction([instance.call.increment({ step: 3n })], funding())).send(keys)
    await devnode.mine(3)
    await stateOf(
      instance.view$,
      ({ outputs }) => outputs[0]?.isUnconfirmed === false && outputs[0].state?.count === 10n,
    )

    const elsewhere = createContracts({ engine: away })
    const there = elsewhere.instance(Counter, instance.genesis)
    await (await elsewhere.transaction([there.call.increment({ step: 5n })], funding())).send(keys)
    await other.mine(7)
    await devnode.sync(other)
    await stateOf(instance.view$, ({ state }) => state?.count === 12n)
    await (await contracts.transaction([instance.call.increment({ step: 1n })], funding())).send(keys)
    await devnode.mine(2)
    await stateOf(instance.view$, ({ state }) => state?.count === 13n)
    expect(devnode.contracts.instance(Counter, instance.genesis).state).toEqual({ count: 13n })
    subscription.unsubscribe()
    await away.dispose()
    await other.close()
  })

  it('ends an own call that neither mempool nor chain has any more, and is called on what the chain has', async () => {
    const { contracts, devnode, funding, keys } = harness
    const instance = await deployed()
    const shown: number[] = []
    const subscription = instance.unconfirmed$.subscribe((calls) => shown.push(calls.length))
    await firstValueFrom(live(instance.view$))
    const { transactionIds } = await (
      await contracts.transaction([instance.call.increment({ step: 3n })], funding())
    ).send(keys)
    await stateOf(instance.view$, ({ state }) => state?.count === 10n)
    await devnode.mine(1) // a block has it, and no chain block has accepted it
    await devnode.reorg({ depth: 1, drop: transactionIds })
    await pollMined(devnode, () => instance.outputs).toMatchObject([{ state: { count: 7n }, isUnconfirmed: false }])
    expect(shown.at(-1)).toBe(0)
    await (await contracts.transaction([instance.call.increment({ step: 1n })], funding())).send(keys)
    await devnode.mine(2)
    await stateOf(instance.view$, ({ state, outputs }) => state?.count === 8n && outputs[0]?.isUnconfirmed === false)
    subscription.unsubscribe()
  })

  it('is incomplete where its beginning was spent before it is followed, which is no empty balance', async () => {
    const { engine } = harness
    const instance = await deployed()
    await callElsewhere(instance, 1n)
    const late = createContracts({ engine }).instance(Counter, instance.genesis)
    const view = await firstValueFrom(live(late.view$))
    expect(view).toMatchObject({ outputs: [], state: null, isIncomplete: true, error: null })
  })

  it('continues where it was followed to: calls of others meanwhile are known, and it is not live before', async () => {
    const instance = await deployed()
    await firstValueFrom(live(instance.view$)) // and unsubscribes
    await callElsewhere(instance, 2n)
    const view = await firstValueFrom(live(instance.view$))
    expect(view).toMatchObject({ state: { count: 9n }, isIncomplete: false, history: [{ state: { count: 7n } }] })
  })

  it('is followed once there is a connection, and again with the next one where it could not be', async () => {
    const { devnode } = harness
    const { genesis } = await deployed()
    const engine = createChainEngine({ ...devnode.engineOptions, sdk: light, autoConnect: false })
    onTestFinished(() => engine.dispose())
    const views: InstanceView<unknown>[] = []
    const subscription = createContracts({ engine })
      .instance(Counter, genesis)
      .view$.subscribe((view) => views.push(view))
    await engine.connection.connect()
    await expect.poll(() => views.at(-1)).toMatchObject({ isLive: true, state: { count: 7n } })
    expect(views.filter(({ error }) => error !== null)).toEqual([])

    devnode.faults.failCall({ method: 'getSink', message: 'busy' })
    subscription.unsubscribe()
    const other = createContracts({ engine }).instance(Counter, genesis)
    other.view$.subscribe((view) => views.push(view))
    await expect.poll(() => views.at(-1)).toMatchObject({ isLive: false, error: { code: 'remote' } })
    await engine.connection.disconnect()
    await engine.connection.connect()
    await expect.poll(() => views.at(-1)).toMatchObject({ isLive: true, error: null, state: { count: 7n } })
  })

  it('reports a failure as a value, and ends with the engine', async () => {
    const { engine, devnode } = harness
    const instance = await deployed()
    devnode.faults.failCall({ method: 'getSink', message: 'busy' })
    const view = await stateOf(instance.view$, ({ error }) => error !== null)
    expect(view).toMatchObject({ isLive: false, error: { code: 'remote' } })
    let isComplete = false
    instance.view$.subscribe({ complete: () => (isComplete = true) })
    await engine.dispose()
    expect(isComplete).toBe(true)
  })
})

describe('the unconfirmed calls of an instance', () => {
  it('are those of the mempool, own ones marked, and none after the last output is spent', async () => {
    const { contracts, devnode, funding, keys } = harness
    const plan = await contracts.deploy(Vault, vaultOf(ALICE), funding())
    await plan.send(keys)
    await devnode.mine(2)
    const instance = contracts.instance(Vault, plan.genesis)
    const emitted: (readonly Pick<UnconfirmedCall, 'transactionId' | 'entry' | 'isOwn'>[])[] = []
    const subscription = instance.unconfirmed$.subscribe((calls) =>
      emitted.push(calls.map(({ transactionId, entry, isOwn }) => ({ transactionId, entry, isOwn }))),
    )
    await firstValueFrom(live(instance.view$))
    const close = instance.call.close({ s: { signedBy: ALICE.address } })
    const { transactionIds } = await (await contracts.transaction([close], funding())).send(keys)
    await expect.poll(() => emitted.at(-1)).toEqual([{ transactionId: transactionIds[0], entry: 'close', isOwn: true }])
    await devnode.mine(2)
    await expect.poll(() => emitted.at(-1)).toEqual([])
    subscription.unsubscribe()
  })

  it('of others are not own', async () => {
    const instance = await deployed()
    const subscription = instance.view$.subscribe()
    await firstValueFrom(live(instance.view$))
    const transactionId = await callElsewhere(instance, 2n, 0)
    const calls = await firstValueFrom(instance.unconfirmed$.pipe(filter(({ length }) => length > 0)))
    expect(calls).toMatchObject([{ transactionId, entry: 'increment', arguments: { step: 2n }, isOwn: false }])
    subscription.unsubscribe()
  })
})

describe('batches of contracts', () => {
  /** Takes batches up to one that fits. */
  async function take(batches: ContractBatches, isLast: (batch: ContractBatch) => boolean): Promise<ContractBatch[]> {
    const taken: ContractBatch[] = []
    for (;;) {
      const { value } = await batches.next()
      taken.push(value!)
      if (isLast(value!)) return taken
    }
  }

  /** The rows that a consumer has after some batches. */
  const rowsAfter = (batches: readonly ContractBatch[], start: ContractRows = new Map<never, ContractRow>()) =>
    batches.reduce(
      (rows, batch) =>
        putRows(batch.rollback === null ? rows : rollbackRows(rows, batch.rollback.blueScore), batch.rows),
      start,
    )

  const unspent = (rows: ContractRows) => [...rows.values()].filter(({ spentBy }) => spentBy === null)

  it('wait for a connection, and are done at once by return()', async () => {
    const { devnode } = harness
    const { genesis } = await deployed()
    const engine = createChainEngine({ ...devnode.engineOptions, sdk: light, autoConnect: false })
    onTestFinished(() => engine.dispose())
    const instances = [{ contract: Counter, genesis }]
    const left = createContracts({ engine }).follow({ instances })
    const pending = left.next()
    await left.return?.()
    expect(await pending).toEqual({ done: true, value: undefined })

    const batches = createContracts({ engine }).follow({ instances })
    const first = batches.next()
    await engine.connection.connect()
    expect((await first).value).toMatchObject({ incomplete: [], rows: [{ state: { count: 7n } }] })
    const dropped = devnode.faults.dropReply({ method: 'getUtxosByAddresses' })
    const held = createContracts({ engine }).follow({ instances })
    const waiting = held.next()
    await expect.poll(() => dropped.triggered).toBe(1)
    await held.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    await batches.return?.()
  })

  it('begin with the next connection where one is lost while the UTXO set is read', async () => {
    const { contracts, devnode } = harness
    const { genesis } = await deployed()
    const dropped = devnode.faults.dropReply({ method: 'getUtxosByAddresses' })
    const batches = contracts.follow({ instances: [{ contract: Counter, genesis }] })
    const first = batches.next()
    await expect.poll(() => dropped.triggered).toBe(1)
    devnode.faults.drop()
    expect((await first).value).toMatchObject({ incomplete: [], rows: [{ state: { count: 7n } }] })
    await batches.return?.()
  })

  it('follow several outputs from a block before the genesis, as the UTXO set has them', async () => {
    const { contracts, devnode, engine, funding, keys } = harness
    const { sink: from } = await engine.rpc.getSink()
    const token = await contracts.deploy(Token, owned(1_000n), funding())
    await token.send(keys)
    const instance = contracts.instance(Token, token.genesis)
    const next = [owned(600n, BOB), owned(400n)]
    const transfer = instance.call.transfer({ next_states: next, witness: ['00', { signedBy: ALICE.address }] })
    await (await contracts.transaction([transfer], funding())).send(keys)
    await devnode.mine(4)
    const batches = contracts.follow({ instances: [{ contract: Token, genesis: token.genesis }], from })
    const taken = await take(batches, ({ isLive }) => isLive)
    await batches.return?.()
    expect(taken.at(-1)!.incomplete).toEqual([])
    const states = unspent(rowsAfter(taken)).map(({ state }) => (state as { amount: bigint }).amount)
    expect(states).toEqual([600n, 400n])
    const { outputs } = devnode.contracts.instance(Token, token.genesis)
    expect(
      unspent(rowsAfter(taken))
        .map(({ outpoint }) => toOutpointKey(outpoint))
        .sort(),
    ).toEqual(outputs.map(({ outpoint }) => toOutpointKey(outpoint)).sort())
  })

  it('continue from a cursor with the rows that were stored with it, and undo what a reorg removes below it', async () => {
    const { contracts, devnode } = harness
    const instance = await deployed()
    const other = await devnode.fork()
    const instances = [{ contract: Counter, genesis: instance.genesis }]
    const first = contracts.follow({ instances })
    await first.next()
    await callElsewhere(instance, 2n)
    const taken = await take(first, ({ rows }) => rows.some(({ state }) => (state as { count: bigint }).count === 9n))
    await first.return?.()
    const stored = rowsAfter(taken)
    expect(unspent(stored).map(({ state }) => state)).toEqual([{ count: 9n }])

    await other.mine(9)
    await devnode.sync(other)
    const snapshot = [...stored.values()]
    const again = contracts.follow({ instances: [{ ...instances[0]!, snapshot }], cursor: taken.at(-1)!.cursor })
    const later = await take(again, ({ rollback }) => rollback !== null)
    await again.return?.()
    expect(unspent(rowsAfter(later, stored)).map(({ state }) => state)).toEqual([{ count: 7n }])
    await other.close()
  })

  it('take no output of a snapshot that the UTXO set does not have', async () => {
    const { contracts } = harness
    const instance = await deployed()
    const real = instance.outputs[0]!
    const snapshot = [
      { outpoint: real.outpoint, state: { count: 8n }, value: real.value },
      { outpoint: { ...real.outpoint, index: 1 }, state: { count: 7n }, value: real.value },
      { outpoint: real.outpoint, state: { count: 7n }, value: real.value + 1n },
    ]
    const batches = contracts.follow({ instances: [{ contract: Counter, genesis: instance.genesis, snapshot }] })
    const { value } = await batches.next()
    await batches.return?.()
    expect(value).toMatchObject({ rows: [], incomplete: [instance.covenantId] })
  })

  it('need an instance', async () => {
    await expect(harness.contracts.follow({ instances: [] }).next()).rejects.toMatchObject({ argument: 'instances' })
    await expect(harness.contracts.follow({ instances: [], cursor: 'abc' }).next()).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  })
})
