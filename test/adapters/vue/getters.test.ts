// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { nextTick, shallowRef, watch } from 'vue'
import { useBalance } from '../../../src/adapters/vue/composables/useBalance.js'
import { useInfiniteRestQuery } from '../../../src/adapters/vue/composables/useInfiniteRestQuery.js'
import { useRestQuery } from '../../../src/adapters/vue/composables/useRestQuery.js'
import { useRpcQuery } from '../../../src/adapters/vue/composables/useRpcQuery.js'
import { useTransactionStatus } from '../../../src/adapters/vue/composables/useTransactionStatus.js'
import { useTransfers } from '../../../src/adapters/vue/composables/useTransfers.js'
import { useUtxo } from '../../../src/adapters/vue/composables/useUtxo.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { createMemoryDevnode } from '../../../src/devnode/memory/create-memory-devnode.js'
import { eachTest } from '../../lifetimes.js'
import { mountApp } from './with-app.js'

const devnode = eachTest(() => createMemoryDevnode({ blockInterval: 0, accounts: 1 }))

interface Order {
  readonly addresses: readonly string[]
  readonly id: string
}
interface Value {
  /** Whether there is a result. */
  readonly isLoaded: () => boolean
  /** What a component renders of it. */
  readonly rendered: () => unknown
}

const composables: Readonly<Record<string, (order: () => Order) => Value>> = {
  useBalance: (order) => {
    const { balance, freshness } = useBalance(() => order().addresses)
    return { isLoaded: () => freshness.value === 'fresh', rendered: () => [balance.value.total, freshness.value] }
  },
  useUtxo: (order) => {
    const { entries, freshness } = useUtxo(() => order().addresses)
    return { isLoaded: () => freshness.value === 'fresh', rendered: () => [entries.value.length, freshness.value] }
  },
  useTransfers: (order) => {
    const { transfers, freshness } = useTransfers(() => order().addresses)
    return { isLoaded: () => freshness.value === 'fresh', rendered: () => [transfers.value.length, freshness.value] }
  },
  useTransactionStatus: (order) => {
    const { status } = useTransactionStatus(() => order().id)
    return { isLoaded: () => status.value === 'accepted', rendered: () => status.value }
  },
  useRpcQuery: (order) => {
    const options = () => ({
      queryKey: ['balances', order().addresses],
      queryFn: ({ rpc }: { rpc: { getBalancesByAddresses(list: readonly string[]): Promise<unknown> } }) =>
        rpc.getBalancesByAddresses(order().addresses),
    })
    const { status, data, isFetching } = useRpcQuery(options)
    return { isLoaded: () => status.value === 'success', rendered: () => [status.value, data.value, isFetching.value] }
  },
  useRestQuery: (order) => {
    const { status, data, isFetching } = useRestQuery(() => ({
      queryKey: ['balance', ...order().addresses],
      queryFn: ({ rest }) => rest.getAddressBalance(order().addresses[0]!),
    }))
    return { isLoaded: () => status.value === 'success', rendered: () => [status.value, data.value, isFetching.value] }
  },
  useInfiniteRestQuery: (order) => {
    const { status, data, isFetching } = useInfiniteRestQuery(() => ({
      queryKey: ['pages', { of: order().addresses }],
      queryFn: ({ rest }) => rest.getAddressTransactionPage(order().addresses[0]!),
      initialPageParam: 0,
      getNextPageParam: () => undefined,
    }))
    return { isLoaded: () => status.value === 'success', rendered: () => [status.value, data.value, isFetching.value] }
  },
}

it.each(Object.entries(composables))('%s keeps its result when a getter returns equal values', async (_, compose) => {
  const { address } = devnode.accounts[0]!
  const id = await devnode.fund(address, 100_000_000n)
  await devnode.mine(2)
  const order = shallowRef<Order>({ addresses: [address], id })
  const { result } = mountApp(
    () => compose(() => order.value),
    (app) => app.use(VueChain, { ...devnode.engineOptions, autoConnect: true }),
  )
  await expect.poll(() => result.isLoaded()).toBe(true)
  const before = result.rendered()
  const seen: unknown[] = []
  const stop = watch(
    () => result.rendered(),
    (value) => seen.push(value),
    { flush: 'sync' },
  )
  order.value = { addresses: [address], id }
  await nextTick()
  expect(result.rendered()).toEqual(before)
  for (const value of seen) expect(value).toEqual(before)
  stop()
})
