// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest'
import { shallowRef } from 'vue'
import { useChainEngine } from '../../../../src/adapters/vue/composables/useChainEngine.js'
import { useContract } from '../../../../src/adapters/vue/contracts/useContract.js'
import { useContracts } from '../../../../src/adapters/vue/contracts/useContracts.js'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'
import { createContracts } from '../../../../src/contracts/create-contracts.js'
import { createMemoryDevnode, type MemoryDevnode } from '../../../../src/devnode/memory/create-memory-devnode.js'
import type { GenesisRecord } from '../../../../src/model/covenant-id.js'
import { toHex } from '../../../../src/model/hex.js'
import { light } from '../../../../src/sdk/light/light.js'
import { Counter } from '../../../contract-calls/counter-rows.js'
import { ALICE } from '../../../contract-calls/transaction.js'
import { mountApp } from '../with-app.js'

const KAS = 100_000_000n
const signing = { privateKeys: [toHex(ALICE.key)] }

type CounterGenesis = GenesisRecord<{ readonly count: bigint }>

let devnode: MemoryDevnode
beforeEach(() => {
  const utxos = Array.from({ length: 6 }, () => ({ address: ALICE.address, amount: 50n * KAS }))
  devnode = createMemoryDevnode({ blockInterval: 0, utxos })
})
afterEach(() => devnode.close())

const genesis = shallowRef<CounterGenesis | null>(null)

/** Two components of one app that show the same counter. */
function mount() {
  genesis.value = null
  const setup = () => ({
    engine: useChainEngine(),
    contracts: useContracts(),
    first: useContract(Counter, genesis),
    second: useContract(Counter, genesis),
  })
  const mounted = mountApp(setup, (app) => app.use(VueChain, { ...devnode.engineOptions, sdk: light }))
  const { engine } = mounted.result
  const settings = async () => {
    await engine.wasm.init()
    const entries = await engine.rpc.getUtxosByAddresses([ALICE.address])
    return { entries, changeAddress: ALICE.address }
  }
  return { ...mounted, settings }
}

it('shows a counter from its deployment to the calls of others, followed once for two components', async () => {
  const { result, settings } = mount()
  const { contracts, engine, first, second } = result
  expect([first.state.value, first.freshness.value, first.call.value, first.outputs.value]).toEqual([
    null,
    'unknown',
    null,
    [],
  ])
  await engine.connection.connect()
  const plan = await contracts.deploy(Counter, { count: 7n }, await settings())
  await plan.send(signing)
  genesis.value = plan.genesis
  await expect.poll(() => first.state.value).toEqual({ count: 7n })
  expect(first.outputs.value).toMatchObject([{ isUnconfirmed: true }])
  await devnode.mine(2)
  await expect.poll(() => [first.freshness.value, second.freshness.value]).toEqual(['fresh', 'fresh'])
  expect(first.outputs.value).toMatchObject([{ isUnconfirmed: false }])

  const elsewhere = createContracts({ engine })
  const other = elsewhere.instance(Counter, plan.genesis)
  const stranger = await elsewhere.transaction([other.call.increment({ step: 2n })], await settings())
  const { transactionIds } = await stranger.send(signing)
  await expect
    .poll(() => first.unconfirmed.value)
    .toMatchObject([{ transactionId: transactionIds[0], entry: 'increment', arguments: { step: 2n }, isOwn: false }])
  expect(first.state.value).toEqual({ count: 7n }) // pending is no state
  await devnode.mine(2)
  await expect.poll(() => second.state.value).toEqual({ count: 9n })
  await expect.poll(() => first.unconfirmed.value).toEqual([])

  const own = await contracts.transaction([first.call.value!.increment({ step: 1n })], await settings())
  await own.send(signing)
  await expect.poll(() => first.state.value).toEqual({ count: 10n })
  await devnode.mine(2)
  await expect
    .poll(() => first.history.value.map(({ spentBy }) => spentBy?.arguments))
    .toEqual([{ step: 2n }, { step: 1n }])
  expect(first.error.value).toBeNull()
})

it('is stale without a connection, and follows another record', async () => {
  const { result, settings } = mount()
  const { contracts, engine, first } = result
  await engine.connection.connect()
  const [one, two] = [
    await contracts.deploy(Counter, { count: 1n }, { ...(await settings()), maxFee: KAS }),
    await contracts.deploy(Counter, { count: 2n }, { ...(await settings()), maxFee: KAS }),
  ]
  await one.send(signing)
  await devnode.mine(2)
  genesis.value = one.genesis
  await expect.poll(() => first.freshness.value).toBe('fresh')
  await engine.connection.disconnect()
  await expect.poll(() => first.freshness.value).toBe('stale')
  expect(first.state.value).toEqual({ count: 1n })
  await engine.connection.connect()
  await devnode.mine(1)
  await expect.poll(() => first.freshness.value).toBe('fresh')
  genesis.value = two.genesis
  await expect.poll(() => [first.state.value, first.freshness.value]).toEqual([null, 'unknown'])
})

it('throws where it is read with a record of another contract, and follows the next one', async () => {
  const { result, settings, unmount } = mount()
  const { contracts, engine, first } = result
  await engine.connection.connect()
  const plan = await contracts.deploy(Counter, { count: 7n }, await settings())
  await plan.send(signing)
  const state = { count: 'seven' as unknown as bigint }
  genesis.value = { ...plan.genesis, outputs: plan.genesis.outputs.map((output) => ({ ...output, state })) }
  for (const read of [() => first.state.value, () => first.call.value, () => first.freshness.value])
    expect(read).toThrow(expect.objectContaining({ code: 'invalid-argument' }))
  genesis.value = plan.genesis
  await devnode.mine(2)
  await expect.poll(() => [first.state.value, first.freshness.value]).toEqual([{ count: 7n }, 'fresh'])
  unmount()
})
