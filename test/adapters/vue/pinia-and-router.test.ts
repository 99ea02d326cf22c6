// @vitest-environment happy-dom
import { createPinia, defineStore } from 'pinia'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import { defineComponent, h, shallowRef } from 'vue'
import { useBalance } from '../../../src/adapters/vue/composables/useBalance.js'
import { useNetwork } from '../../../src/adapters/vue/composables/useNetwork.js'
import { mountWithChain, type MountedChain } from '../../../src/adapters/vue/testing/index.js'
import { createMemoryDevnode, type MemoryDevnode } from '../../../src/devnode/memory/index.js'
import { isValidAddress } from '../../../src/model/address.js'

const KAS = 100_000_000n

const useAccount = defineStore('account', () => {
  const address = shallowRef<string>()
  return { address, ...useBalance(address) }
})

const Balance = defineComponent(() => {
  const account = useAccount()
  return () => h('p', String(account.balance.mature / KAS))
})

let devnode: MemoryDevnode
let chain: MountedChain
const isShown = shallowRef(true)
const Page = defineComponent(() => () => (isShown.value ? [h(Balance), h(Balance)] : []))

beforeEach(async () => {
  devnode = createMemoryDevnode({ blockInterval: 0 })
  isShown.value = true
  chain = mountWithChain(Page, { devnode, prepare: (app) => app.use(createPinia()) })
  await chain.ready()
})

afterEach(() => chain.unmount())

const alice = (): string => devnode.accounts[0]?.address ?? ''
const trackedAddresses = () => chain.engine.metrics().trackedAddresses

describe('a Pinia store with composables', () => {
  it('shares one UTXO set with all components, which outlives them and ends with the store', async () => {
    const account = chain.app.runWithContext(() => useAccount())
    account.address = alice()
    await expect.poll(() => chain.element.textContent).toBe('10001000')
    expect(trackedAddresses()).toBe(1)

    isShown.value = false
    await devnode.fund(alice(), 5n * KAS)
    await expect.poll(() => account.balance.mature).toBe(1_005n * KAS)

    account.$dispose()
    await expect.poll(trackedAddresses).toBe(0)
  })
})

describe('a guard of the router', () => {
  it('uses a composable within the context of the app', async () => {
    const component = { render: () => null }
    const router = createRouter({
      history: createMemoryHistory(),
      routes: [
        { path: '/:address', component },
        { path: '/', name: 'not-found', component },
      ],
    })
    router.beforeEach(({ params }) => {
      const { currentNetwork } = chain.app.runWithContext(useNetwork)
      const isOurs = !('address' in params) || isValidAddress(String(params.address), currentNetwork.value)
      return isOurs || { name: 'not-found' }
    })
    await router.push(`/${alice()}`)
    expect(router.currentRoute.value.params.address).toBe(alice())
    await router.push('/kaspa:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszu8g5qjdh')
    expect(router.currentRoute.value.name).toBe('not-found')
  })
})
