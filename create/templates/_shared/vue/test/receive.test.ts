import { expect, it } from 'vitest'
import { createMemoryDevnode } from 'vue-chain/devnode/memory'
import { mountWithChain } from 'vue-chain/testing/vue'
import ReceiveAddress from '../_sources/components/ReceiveAddress.vue'
import TransferHistory from '../_sources/components/TransferHistory.vue'

it('writes a link that wallets open, with the amount, and draws it as a QR code', async () => {
  const devnode = createMemoryDevnode({ blockInterval: 0 })
  const { address } = devnode.accounts[0]!
  const { element, ready, unmount } = mountWithChain(ReceiveAddress, { devnode, props: { address } })
  await ready()
  const link = () => element.querySelector('a')?.getAttribute('href')
  expect(link()).toBe(address)
  const label = () => element.querySelector('[role=img]')?.getAttribute('aria-label')
  await expect.poll(label).toBe(`Payment link: ${address}`)

  const input = element.querySelector('input')!
  input.value = '12.5'
  input.dispatchEvent(new Event('input'))
  await expect.poll(link).toBe(`${address}?amount=12.5`)
  expect(label()).toBe(`Payment link: ${address}?amount=12.5`)

  input.value = 'a lot'
  input.dispatchEvent(new Event('input'))
  await expect.poll(link).toBeUndefined()
  unmount()
  await devnode.close()
})

it('lists what an address has received', async () => {
  const devnode = createMemoryDevnode({ blockInterval: 0 })
  const { address } = devnode.accounts[0]!
  const { element, ready, unmount } = mountWithChain(TransferHistory, { devnode, props: { address } })
  await ready()
  await devnode.fund(address, 250_000_000n)
  await devnode.mine(2) // blocks that accept it
  await expect.poll(() => element.textContent).toContain('+2.5 KAS')
  unmount()
  await devnode.close()
})
