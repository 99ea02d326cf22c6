import { expect, it } from 'vitest'
import { kaspaToSompi } from 'vue-chain'
import { createMemoryDevnode } from 'vue-chain/devnode/memory'
import { mountWithChain } from 'vue-chain/testing/vue'
import AddressBalance from '../_sources/components/AddressBalance.vue'

it('shows the balance of an address, and its changes', async () => {
  const devnode = createMemoryDevnode({ blockInterval: 0 }) // blocks on demand
  const { address } = devnode.accounts[0]!
  const { element, ready, whenIdle, unmount } = mountWithChain(AddressBalance, { devnode, props: { address } })
  await ready()
  expect(element.textContent).toBe('1000 KAS')

  await devnode.fund(address, kaspaToSompi('2.5'))
  await whenIdle()
  expect(element.textContent).toContain('1002.5 KAS')

  unmount()
  await devnode.close()
})

it('rejects an address of another network', async () => {
  const devnode = createMemoryDevnode({ blockInterval: 0 })
  const { element, ready, unmount } = mountWithChain(AddressBalance, { devnode, props: { address: 'kaspa:nonsense' } })
  await ready()
  expect(element.textContent).toBe('Enter an address of simnet.')

  unmount()
  await devnode.close()
})
