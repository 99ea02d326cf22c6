// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { getCurrentInstance, getCurrentScope, nextTick, shallowRef, watch } from 'vue'
import { useChainEngine } from '../../../src/adapters/vue/composables/useChainEngine.js'
import { useTransfers } from '../../../src/adapters/vue/composables/useTransfers.js'
import type { VueChainOptions } from '../../../src/adapters/vue/plugin/options.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import type { TransferHistoryOptions } from '../../../src/streams/transfers/history/state.js'
import { eachTest } from '../../lifetimes.js'
import { mountApp } from './with-app.js'

const KAS = 100_000_000n

const devnode = eachTest(() => createDevnode({ blockInterval: 0, accounts: 2 }))

const optionsOf = ({ urls }: Devnode): VueChainOptions => ({
  network: 'simnet',
  url: urls.borsh,
  restUrl: urls.rest,
  autoConnect: true,
})

function mount(addresses: readonly string[], options: TransferHistoryOptions = {}) {
  const current = shallowRef(addresses)
  const setup = () => ({ ...useTransfers(current, { mempoolInterval: 50, ...options }), engine: useChainEngine() })
  const { result } = mountApp(setup, (app) => app.use(VueChain, optionsOf(devnode)))
  const list = () => result.transfers.value.map(({ transactionId, status, net }) => ({ transactionId, status, net }))
  return { result, current, list }
}

describe('useTransfers', () => {
  it('lists older transactions of the indexer, then live ones, each once, and removes reverted ones', async () => {
    const [alice = ''] = devnode.accounts.map(({ address }) => address)
    const old = await devnode.fund(alice, 3n * KAS)
    await devnode.mine(2)
    const { result, list } = mount([alice])
    await expect.poll(list).toEqual([{ transactionId: old, status: 'accepted', net: 3n * KAS }])
    await expect.poll(() => result.freshness.value).toBe('fresh')
    expect([result.hasMore.value, result.error.value]).toEqual([false, null])

    const live = await devnode.fund(alice, 4n * KAS)
    await devnode.mine()
    await expect.poll(() => list().map(({ transactionId }) => transactionId)).toEqual([live, old])
    expect(result.transfers.value[0]).toMatchObject({ timestamp: expect.any(Number), isInternal: false, fee: 0n })
    await devnode.reorg({ depth: 2, drop: [live] })
    await expect.poll(() => list().map(({ transactionId }) => transactionId)).toEqual([old])
  })

  it('shows an own payment as unconfirmed on top, with its net amount, until a block accepts it', async () => {
    const [alice, bob] = devnode.accounts
    const { result, list } = mount([alice!.address])
    await expect.poll(() => result.freshness.value).toBe('fresh')
    await result.engine.wasm.init()
    const { summary } = await result.engine.transactions.send({
      entries: await result.engine.rpc.getUtxosByAddresses([alice!.address]),
      outputs: [{ address: bob!.address, amount: 5n * KAS }],
      changeAddress: alice!.address,
      privateKeys: [alice!.privateKeyHex],
    })
    const transactionId = summary.finalTransactionId
    const net = -(5n * KAS + summary.fees)
    await expect.poll(list).toEqual([{ transactionId, status: 'unconfirmed', net }])
    expect(result.transfers.value[0]).toMatchObject({
      counterparties: [bob!.address],
      isInternal: true,
      fee: summary.fees,
    })
    await devnode.mine(2)
    await expect.poll(list).toEqual([{ transactionId, status: 'accepted', net }])
  })

  it('reads older pages on request, without duplicates where pages of two addresses meet', async () => {
    const [alice = '', bob = ''] = devnode.accounts.map(({ address }) => address)
    const ids: string[] = []
    for (const address of [alice, bob, alice, alice, bob, alice, bob]) ids.push(await devnode.fund(address, KAS))
    await devnode.mine(2)
    const { result, list } = mount([alice, bob], { limit: 2 })
    await expect.poll(() => result.hasMore.value).toBe(true)
    const listed = () => list().map(({ transactionId }) => transactionId)
    expect(listed().length).toBeLessThan(7)
    await expect
      .poll(() => {
        result.loadMore()
        return result.hasMore.value
      })
      .toBe(false)
    expect(listed()).toEqual([...ids].reverse())
  })

  it('lists what the chain brought before a second list of the address, whatever the indexer has cached', async () => {
    const [alice = ''] = devnode.accounts.map(({ address }) => address)
    const setup = () => {
      const [{ app }, scope] = [getCurrentInstance()!.appContext, getCurrentScope()!]
      const open = () => scope.run(() => app.runWithContext(() => useTransfers(alice)))!
      return { first: open(), open }
    }
    const { result } = mountApp(setup, (app) => app.use(VueChain, optionsOf(devnode)))
    await expect.poll(() => result.first.freshness.value).toBe('fresh')
    const paid = await devnode.fund(alice, KAS)
    await devnode.mine(2)
    await expect.poll(() => result.first.transfers.value.length).toBe(1)
    const later = result.open()
    await expect.poll(() => later.freshness.value).toBe('fresh')
    expect(later.transfers.value).toMatchObject([{ transactionId: paid, status: 'accepted' }])
  })

  it('keeps its rows when a getter runs again with the same address', async () => {
    const [alice = ''] = devnode.accounts.map(({ address }) => address)
    const paid = await devnode.fund(alice, KAS)
    await devnode.mine(2)
    const order = shallowRef({ address: alice })
    const lengths: number[] = []
    const setup = () => {
      const transfers = useTransfers(() => [order.value.address])
      watch(transfers.transfers, (list) => lengths.push(list.length), { flush: 'sync' })
      return transfers
    }
    const { result } = mountApp(setup, (app) => app.use(VueChain, optionsOf(devnode)))
    await expect.poll(() => result.freshness.value).toBe('fresh')
    lengths.length = 0
    order.value = { ...order.value }
    await nextTick()
    expect(result.transfers.value).toMatchObject([{ transactionId: paid }])
    expect([result.freshness.value, lengths]).toEqual(['fresh', []])
  })

  it('shows at most `limit` rows, also of live ones, and more on request', async () => {
    const [alice = ''] = devnode.accounts.map(({ address }) => address)
    const { result, list } = mount([alice], { limit: 2, indexer: false })
    await expect.poll(() => result.freshness.value).toBe('fresh')
    expect(list()).toEqual([])
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      ids.push(await devnode.fund(alice, KAS))
      await devnode.mine(2)
    }
    const listed = () => list().map(({ transactionId }) => transactionId)
    await expect.poll(listed).toEqual([ids[2], ids[1]])
    expect(result.hasMore.value).toBe(true)
    result.loadMore()
    expect([listed(), result.hasMore.value]).toEqual([[ids[2], ids[1], ids[0]], false])
  })

  it('begins again when the addresses change, and lists nothing for none', async () => {
    const [alice = '', bob = ''] = devnode.accounts.map(({ address }) => address)
    const toAlice = await devnode.fund(alice, KAS)
    const toBob = await devnode.fund(bob, KAS)
    await devnode.mine(2)
    const { current, list } = mount([alice])
    const listed = () => list().map(({ transactionId }) => transactionId)
    await expect.poll(listed).toEqual([toAlice])
    current.value = [bob]
    await expect.poll(listed).toEqual([toBob])
    current.value = []
    await expect.poll(listed).toEqual([])
  })
})
