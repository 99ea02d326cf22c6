import { filter, firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createContracts, type ContractInstance, type InstanceView } from '../../src/contracts/index.js'
import { createMemoryDevnode, type MemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { GenesisRecord } from '../../src/model/covenant-id.js'
import { toHex } from '../../src/model/hex.js'
import { light } from '../../src/sdk/light/light.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { Counter } from '../contract-calls/counter-rows.js'
import { ALICE } from '../contract-calls/transaction.js'
import type { counter } from '../fixtures/contracts/modules/counter.js'
import type { ChainPage, ChainRecord, TransactionRecord } from './hostile-chain.js'
import { lying, type Lies } from './lying-port.js'

/** Instances on a node that lies about outputs of contracts, withholds their calls, or shows a branch that loses. */

const KAS = 100_000_000n

type CounterInstance = ContractInstance<typeof counter, 'Counter'>
type CounterState = { readonly count: bigint }
type View = InstanceView<CounterState>

let devnode: MemoryDevnode
/** True. */
let engine: ChainEngine
let genesis: GenesisRecord<CounterState>
let covenantId: string
let funds: Awaited<ReturnType<ChainEngine['rpc']['getUtxosByAddresses']>>
const opened: ChainEngine[] = []

beforeEach(async () => {
  const utxos = Array.from({ length: 6 }, () => ({ address: ALICE.address, amount: 50n * KAS }))
  devnode = createMemoryDevnode({ blockInterval: 0, utxos })
  engine = await open({})
  funds = [...(await engine.rpc.getUtxosByAddresses([ALICE.address]))]
  ;({ genesis, covenantId } = await devnode.contracts.deploy(Counter, { count: 7n }))
  await devnode.mine(1) // which accepts it
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.dispose()))
  await devnode.close()
})

/** An engine on the node, whose responses are changed. */
async function open(lies: Lies, node = devnode): Promise<ChainEngine> {
  const { ports } = node.engineOptions
  const one = createChainEngine({
    ...node.engineOptions,
    sdk: light,
    ports: { ...ports, node: lying(createNodePort(ports.platform), lies) },
  })
  opened.push(one)
  await one.connection.connect()
  await one.wasm.init()
  return one
}

const instanceOn = (one: ChainEngine): CounterInstance => createContracts({ engine: one }).instance(Counter, genesis)

/** Calls the counter through the true engine, and mines. */
async function call(step: bigint, by = engine, on = devnode): Promise<string> {
  const contracts = createContracts({ engine: by })
  const instance = contracts.instance(Counter, genesis, { from: 'pruning-point' })
  await seen(instance, ({ isLive }) => isLive)
  const settings = { entries: funds.splice(0, 1), changeAddress: ALICE.address }
  const plan = await contracts.transaction([instance.call.increment({ step })], settings)
  const { transactionIds } = await plan.send({ privateKeys: [toHex(ALICE.key)] })
  await on.mine(2)
  return transactionIds[0]!
}

const seen = (instance: CounterInstance, wanted: (view: View) => boolean): Promise<View> =>
  firstValueFrom(instance.view$.pipe(filter(wanted)))

/** A transaction of the mempool with another id, which its inputs' signatures do not fit. */
const forge = <Listed extends { readonly transaction: { readonly lockTime: bigint } }>(listed: Listed): Listed => ({
  ...listed,
  transaction: { ...listed.transaction, lockTime: 5n },
})

/** Changes the transactions of a page that touch the covenant. */
const pages =
  (change: (transaction: TransactionRecord) => TransactionRecord | null) =>
  (page: ChainPage): ChainPage => ({
    ...page,
    chainBlockAcceptedTransactions: page.chainBlockAcceptedTransactions.map((block: ChainRecord) => ({
      ...block,
      acceptedTransactions: block.acceptedTransactions.flatMap((transaction) => {
        const isOf = transaction.outputs.some(({ covenant }) => covenant?.covenantId === covenantId)
        return (isOf ? change(transaction) : transaction) ?? []
      }),
    })),
  })

const firstOutput =
  (change: (output: TransactionRecord['outputs'][number]) => object) => (transaction: TransactionRecord) => ({
    ...transaction,
    outputs: transaction.outputs.map((output, at) => (at === 0 ? { ...output, ...change(output) } : output)),
  })

describe('a node that lies about the outputs of a call', () => {
  it.each([
    ['another amount', firstOutput(({ value = 0n }) => ({ value: value - 1n }))],
    ['another state', firstOutput(() => ({ scriptPublicKey: Counter.scriptPublicKey({ count: 8n }) }))],
    ['no binding', firstOutput(() => ({ covenant: undefined }))],
  ])('with %s is found out, and the state stays what was proved', async (_, change) => {
    const liar = await open({ getVirtualChainFromBlockV2: pages(change) })
    const instance = instanceOn(liar)
    const subscription = instance.view$.subscribe()
    await seen(instance, ({ isLive }) => isLive)
    await call(3n)
    const { error, state, isLive } = await seen(instance, (view) => view.error !== null || view.state?.count !== 7n)
    expect([error?.code, state, isLive]).toEqual(['malformed', { count: 7n }, false])
    subscription.unsubscribe()
  })
})

describe('a node that claims UTXOs of a contract', () => {
  it.each([
    ['of another covenant with the same script and amount, beside the true one', (id: string) => id],
    ['of the covenant at a place that is none', () => 'ab'.repeat(32)],
  ])('%s, makes no output of it', async (_, idOf) => {
    const counterfeit = await devnode.contracts.deploy(Counter, { count: 7n })
    const liar = await open({
      getUtxosByAddresses: ({ entries }) => ({
        entries: entries.flatMap((entry) => {
          const isOf = entry.covenantId === covenantId
          const transactionId = idOf(counterfeit.transactionId)
          return isOf ? [entry, { ...entry, outpoint: { ...entry.outpoint, transactionId } }] : [entry]
        }),
      }),
    })
    const instance = instanceOn(liar)
    const view = await seen(instance, ({ isLive }) => isLive)
    expect(view).toMatchObject({ outputs: [], state: null, isIncomplete: true })
    const settings = { entries: funds.splice(0, 1), changeAddress: ALICE.address }
    const contracts = createContracts({ engine: liar })
    await expect(
      contracts.transaction([contracts.instance(Counter, genesis).call.increment({ step: 1n })], settings),
    ).rejects.toMatchObject({ code: 'state-unknown' })
  })

  it.each([
    ['another amount', { amount: KAS - 1n }],
    ['another covenant', { covenantId: 'ab'.repeat(32) }],
    ['no covenant', { covenantId: undefined }],
  ])('with %s, makes no instance', async (_, change) => {
    const liar = await open({
      getUtxosByAddresses: ({ entries }) => ({
        entries: entries.map((entry) => (entry.covenantId === covenantId ? { ...entry, ...change } : entry)),
      }),
    })
    const view = await seen(instanceOn(liar), ({ isLive }) => isLive)
    expect(view).toMatchObject({ outputs: [], state: null, isIncomplete: true })
  })
})

describe('a node that withholds', () => {
  it('a call and shows the next one, whose state is not derived of what it reports, until the true chain is read', async () => {
    let isWithheld = true
    const liar = await open({ getVirtualChainFromBlockV2: (page) => (isWithheld ? pages(withoutFirst)(page) : page) })
    const withheld = new Set<string>()
    function withoutFirst(transaction: TransactionRecord): TransactionRecord | null {
      const id = transaction.verboseData?.transactionId ?? ''
      if (withheld.size === 0) withheld.add(id)
      return withheld.has(id) ? null : transaction
    }
    const instance = instanceOn(liar)
    const states: (CounterState | null)[] = []
    const subscription = instance.state$.subscribe((state) => states.push(state))
    await seen(instance, ({ isLive }) => isLive)
    await call(3n)
    const second = await call(2n)
    await devnode.mine(2)
    const batches = createContracts({ engine: liar }).follow({
      instances: [{ contract: Counter, genesis }],
      from: 'pruning-point',
    })
    const rows = new Map<string, { readonly isForeign: boolean; readonly state: unknown }>()
    while (!rows.has(second))
      for (const row of (await batches.next()).value!.rows) rows.set(row.outpoint.transactionId, row)
    await batches.return?.()
    expect(rows.get(second)).toMatchObject({ isForeign: true, state: null })
    expect(states.filter((state) => state !== null)).toEqual([{ count: 7n }])
    subscription.unsubscribe()
    isWithheld = false
    const again = createContracts({ engine: liar }).instance(Counter, genesis, { from: 'pruning-point' })
    expect(await seen(again, ({ isLive }) => isLive)).toMatchObject({ state: { count: 12n }, isIncomplete: false })
  })
})

describe('a node that shows', () => {
  it('a call in the mempool that was never made takes no state, and the own call stays what the chain decides', async () => {
    const forged = await open({
      getMempoolEntriesByAddresses: ({ entries }) => ({
        entries: entries.map(({ sending, receiving, ...entry }) => ({
          ...entry,
          sending: sending.map(forge),
          receiving: receiving.map(forge),
        })),
      }),
    })
    const contracts = createContracts({ engine: forged })
    const shown = contracts.instance(Counter, genesis)
    const subscription = shown.view$.subscribe()
    await seen(shown, ({ isLive }) => isLive)
    const settings = { entries: funds.splice(0, 1), changeAddress: ALICE.address }
    const plan = await contracts.transaction([shown.call.increment({ step: 3n })], settings)
    const { transactionIds } = await plan.send({ privateKeys: [toHex(ALICE.key)] })
    const moved = await seen(shown, (view) => view.moved !== null)
    expect(moved).toMatchObject({ state: { count: 7n }, moved: { transactionId: transactionIds[0] } })
    await devnode.mine(2)
    expect(await seen(shown, ({ state }) => state?.count === 10n)).toMatchObject({ moved: null, error: null })
    subscription.unsubscribe()
  })

  it('a branch that loses delivers none of its calls before the confirmations that were required', async () => {
    const other = await devnode.fork()
    const away = await open({}, other)
    const losing = await call(5n, away, other)
    const batches = createContracts({ engine: away }).follow({
      instances: [{ contract: Counter, genesis }],
      from: 'pruning-point',
      minConfirmations: 4,
    })
    await other.mine(2)
    const winning = await call(1n)
    await devnode.mine(9)
    await other.sync(devnode)
    const created: string[] = []
    while (!created.includes(winning))
      created.push(...(await batches.next()).value!.rows.map(({ outpoint }) => outpoint.transactionId))
    await batches.return?.()
    expect(created).not.toContain(losing)
    await other.close()
  })
})
