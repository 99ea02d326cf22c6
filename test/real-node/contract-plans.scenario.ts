import { filter, firstValueFrom } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContracts, type ContractInstance } from '../../src/contracts/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { toHex } from '../../src/model/hex.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { light } from '../../src/sdk/light/light.js'
import { Counter } from '../contract-calls/counter-rows.js'
import { owned, Token } from '../contract-calls/token-rows.js'
import { ALICE, BOB } from '../contract-calls/transaction.js'
import { indexedUtxos } from '../contract/node/support/indexed-utxos.js'
import { newAccount } from '../contract/node/support/payment.js'
import type { counter } from '../fixtures/contracts/modules/counter.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

/** Plans of contracts, and instances that follow the chain, on a real node. */

const UTXOS = 40
const KAS = 100_000_000n
const keys = { privateKeys: [toHex(ALICE.key)] }

/** A template is kept for a second. */
const untilNextTemplate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_100))

describe('contracts on kaspad', () => {
  let node: Kaspad
  let engine: ChainEngine
  let funds: UtxoEntry[]
  let instance: ContractInstance<typeof counter, 'Counter'>

  const funding = () => ({ entries: funds.splice(0, 1), changeAddress: ALICE.address })
  const mine = async (count: number): Promise<void> => {
    await untilNextTemplate()
    await node.mine(count, newAccount(PREFIX).address)
  }
  const until = (count: bigint) => firstValueFrom(instance.state$.pipe(filter((state) => state?.count === count)))

  beforeAll(async () => {
    node = await startKaspad({ preallocated: { count: UTXOS, address: ALICE.address, amount: 50n * KAS } })
    funds = [...(await indexedUtxos(node.client(), [ALICE.address], UTXOS))]
    engine = createChainEngine({ network: 'simnet', url: node.url, heartbeat: false, sdk: light })
    await engine.connection.connect()
    await engine.wasm.init()
  })
  afterAll(async () => {
    await engine.dispose()
    await node.close()
  })

  it('are deployed, called at the exact budget and the least fee, and followed', async () => {
    const contracts = createContracts({ engine })
    const plan = await contracts.deploy(Counter, { count: 7n }, funding())
    await plan.send(keys)
    await mine(3)
    instance = contracts.instance(Counter, plan.genesis)
    const call = await contracts.transaction([instance.call.increment({ step: 3n })], funding())
    await call.send(keys)
    await mine(3)
    await until(10n)
    const elsewhere = createContracts({ engine })
    const snapshot = instance.outputs.map(({ outpoint, value, state }) => ({ outpoint, value, state: state! }))
    const there = elsewhere.instance(Counter, instance.genesis, { snapshot })
    await firstValueFrom(there.view$.pipe(filter(({ isLive }) => isLive)))
    const followed = until(12n)
    await (await elsewhere.transaction([there.call.increment({ step: 2n })], funding())).send(keys)
    await mine(3)
    await followed // by execution
  })

  it('show what moved them, in the mempool and on the chain', async () => {
    const contracts = createContracts({ engine })
    const plan = await contracts.deploy(Counter, { count: 1n }, funding())
    await plan.send(keys)
    await mine(3)
    const [own, other] = [contracts, createContracts({ engine })].map((one) => one.instance(Counter, plan.genesis))
    const [first, late, later] = await Promise.all([
      contracts.transaction([other!.call.increment({ step: 1n })], funding()),
      contracts.transaction([own!.call.increment({ step: 2n })], funding()),
      contracts.transaction([own!.call.increment({ step: 3n })], funding()),
    ])
    const { transactionIds } = await first.send(keys)
    const moved = { code: 'contract-moved', spentBy: transactionIds[0], outcome: 'unknown' }
    await expect(late.send(keys)).rejects.toMatchObject(moved)
    await mine(3)
    await expect(later.send(keys)).rejects.toMatchObject(moved)
  })

  it('replace an own call in the mempool, with what is chained on it undone', async () => {
    const contracts = createContracts({ engine })
    const plan = await contracts.deploy(Counter, { count: 1n }, funding())
    await plan.send(keys)
    await mine(3)
    const counter = contracts.instance(Counter, plan.genesis)
    const settings = funding()
    const first = await contracts.transaction([counter.call.increment({ step: 1n })], settings)
    await first.send(keys)
    await (await contracts.transaction([counter.call.increment({ step: 1n })], funding())).send(keys)
    const [replaced] = first.transactions
    const second = await contracts.transaction([counter.call.increment({ step: 5n })], {
      ...settings,
      replaces: replaced!.id,
    })
    await second.send(keys)
    expect(counter.outputs).toMatchObject([{ state: { count: 6n } }])
    const seen = firstValueFrom(counter.view$.pipe(filter(({ outputs }) => outputs[0]?.isUnconfirmed === false)))
    await mine(3)
    expect(await seen).toMatchObject({ state: { count: 6n }, moved: null })
  })

  it('are planned again where another call was first', async () => {
    const contracts = createContracts({ engine })
    const plan = await contracts.deploy(Counter, { count: 1n }, funding())
    await plan.send(keys)
    await mine(3)
    const [own, other] = [contracts, createContracts({ engine })].map((one) => one.instance(Counter, plan.genesis))
    const late = own!.call.increment({ step: 1n }, { onMoved: ({ count }) => ({ step: 7n - count }) })
    const planned = await contracts.transaction([late], funding())
    await (await contracts.transaction([other!.call.increment({ step: 2n })], funding())).send(keys)
    const shown = firstValueFrom(own!.unconfirmed$.pipe(filter((calls) => calls.length > 0)))
    expect(await shown).toMatchObject([{ entry: 'increment', arguments: { step: 2n } }])
    const sent = planned.send(keys)
    await mine(3)
    const { transactionIds } = await sent
    await mine(3)
    const seen = own!.view$.pipe(filter(({ isLive, state }) => isLive && state?.count === 7n))
    expect((await firstValueFrom(seen)).outputs).toMatchObject([{ outpoint: { transactionId: transactionIds[0] } }])
  })

  it('are called together in one transaction, at the budgets of both', async () => {
    const contracts = createContracts({ engine })
    const [counterPlan, tokenPlan] = [
      await contracts.deploy(Counter, { count: 1n }, funding()),
      await contracts.deploy(Token, owned(1_000n), funding()),
    ]
    await counterPlan.send(keys)
    await tokenPlan.send(keys)
    await mine(3)
    const counter = contracts.instance(Counter, counterPlan.genesis)
    const token = contracts.instance(Token, tokenPlan.genesis)
    const next_states = [owned(600n, BOB), owned(400n)]
    const transfer = token.call.transfer({ next_states, witness: ['00', { signedBy: ALICE.address }] })
    const both = await contracts.transaction([transfer, counter.call.increment({ step: 2n })], funding())
    await both.send(keys)
    const budgets = both.transactions[0]!.serialize().inputs.map(({ computeBudget }) => computeBudget)
    expect(budgets).toEqual([13, 0, 10])
    await mine(3)
    const seen = firstValueFrom(token.view$.pipe(filter(({ isLive }) => isLive)))
    expect((await seen).outputs.map(({ state }) => state?.amount)).toEqual([600n, 400n])
  })
})
