// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest'
import { shallowRef } from 'vue'
import { useChainEngine } from '../../../../src/adapters/vue/composables/useChainEngine.js'
import { useContracts } from '../../../../src/adapters/vue/contracts/useContracts.js'
import { useTokens } from '../../../../src/adapters/vue/contracts/useTokens.js'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'
import { createMemoryDevnode, type MemoryDevnode } from '../../../../src/devnode/memory/create-memory-devnode.js'
import { toHex } from '../../../../src/model/hex.js'
import { tokenState, type TokenOwner } from '../../../../src/model/tokens/owner.js'
import { light } from '../../../../src/sdk/light/light.js'
import { Token } from '../../../contract-calls/token-rows.js'
import { ALICE, BOB } from '../../../contract-calls/transaction.js'
import { token20 } from '../../../fixtures/contracts/modules/token20.js'
import { mountApp } from '../with-app.js'

const KAS = 100_000_000n

let devnode: MemoryDevnode
beforeEach(() => {
  const utxos = Array.from({ length: 4 }, () => ({ address: ALICE.address, amount: 50n * KAS }))
  devnode = createMemoryDevnode({ blockInterval: 0, utxos })
})
afterEach(() => devnode.close())

it('shows the balances of owners that change, with the KAS of their outputs, for all components', async () => {
  const owners = shallowRef<TokenOwner>(ALICE.address)
  const setup = () => ({
    engine: useChainEngine(),
    contracts: useContracts(),
    first: useTokens(owners),
    second: useTokens(BOB.address),
  })
  const { result } = mountApp(setup, (app) => app.use(VueChain, { ...devnode.engineOptions, sdk: light }))
  const { engine, contracts, first, second } = result
  expect([first.balances.value, first.unknown.value, first.tokens === second.tokens]).toEqual([[], 0, true])
  await engine.connection.connect()
  await engine.wasm.init()
  const settings = async () => ({
    entries: await engine.rpc.getUtxosByAddresses([ALICE.address]),
    changeAddress: ALICE.address,
  })
  const signing = { privateKeys: [toHex(ALICE.key)] }
  const plan = await contracts.deploy(Token, tokenState(ALICE.address, 1_000n), await settings())
  await plan.send(signing)
  const { covenantId: token } = first.tokens.add({ artifact: token20, genesis: plan.genesis })
  await expect.poll(() => first.balances.value[0]?.balances).toMatchObject([{ amount: 0n, pending: 1_000n }])
  await devnode.mine(2)
  await expect.poll(() => first.balances.value[0]?.balances).toMatchObject([{ amount: 1_000n, lockedKas: KAS }])

  const transfer = first.tokens.transfer({ token, to: BOB.address, amount: 600n })
  await (await contracts.transaction([transfer], await settings())).send(signing)
  await devnode.mine(2)
  await expect.poll(() => second.balances.value[0]?.balances).toMatchObject([{ amount: 600n, pending: 0n }])
  owners.value = BOB.address
  await expect.poll(() => first.balances.value[0]?.balances).toMatchObject([{ amount: 600n }])
})

it('throws where it is read with an owner that is none, and follows the next one', async () => {
  const owners = shallowRef<TokenOwner>('kaspasim:none')
  const setup = () => ({ engine: useChainEngine(), contracts: useContracts(), mine: useTokens(owners) })
  const { result, unmount } = mountApp(setup, (app) => app.use(VueChain, { ...devnode.engineOptions, sdk: light }))
  const { engine, contracts, mine } = result
  await engine.connection.connect()
  await engine.wasm.init()
  const settings = {
    entries: await engine.rpc.getUtxosByAddresses([ALICE.address]),
    changeAddress: ALICE.address,
  }
  const plan = await contracts.deploy(Token, tokenState(ALICE.address, 1_000n), settings)
  await plan.send({ privateKeys: [toHex(ALICE.key)] })
  mine.tokens.add({ artifact: token20, genesis: plan.genesis })
  for (const read of [() => mine.balances.value, () => mine.unknown.value])
    expect(read).toThrow(expect.objectContaining({ code: 'invalid-argument' }))
  owners.value = ALICE.address
  await devnode.mine(2)
  await expect.poll(() => mine.balances.value[0]?.balances).toMatchObject([{ amount: 1_000n }])
  expect(mine.unknown.value).toBe(0)
  unmount()
})
