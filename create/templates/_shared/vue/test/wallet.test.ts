import { expect, it } from 'vitest'
import { createMemoryDevnode } from 'vue-chain/devnode/memory'
import { createFakeWalletA, createTestPage, createTestWallets } from 'vue-chain/testing'
import { mountWithChain } from 'vue-chain/testing/vue'
import SendPayment from '../_sources/components/SendPayment.vue'

/**
 * The form as in a build, where there is no account: in a page with a fake of the wallet KasWare, which is connected.
 */
async function mountWithWallet() {
  const devnode = createMemoryDevnode({ network: 'testnet-10', blockInterval: 0 })
  const page = createTestPage()
  const kasware = createFakeWalletA({ devnode, page, checkIn: 0 })
  kasware.install()

  const recipient = devnode.accounts[1]!.address
  const { element, engine, ready, unmount } = mountWithChain(SendPayment, {
    devnode,
    options: { ports: { wallets: createTestWallets(page) } },
    props: { account: null, recipient },
  })
  await ready()
  await engine.wallet.connect('walletA')

  const pay = () => element.querySelector('form')!.dispatchEvent(new Event('submit', { cancelable: true }))
  const text = () => element.textContent
  const close = () => (unmount(), devnode.close())
  return { devnode, kasware, recipient, pay, text, close }
}

it('lets the wallet of the user pay, until the chain has accepted it', async () => {
  const { devnode, kasware, recipient, pay, text, close } = await mountWithWallet()
  pay()
  await expect.poll(text).toContain('0 confirmations')
  const payment = { method: 'sendKaspa', args: [recipient, 100_000_000, { priorityFee: 0 }] }
  expect(kasware.calls).toContainEqual(payment)
  await devnode.mine(2)
  await expect.poll(text).toMatch(/accepted, \d+ confirmation/)
  await close()
})

it('says so where the user rejects the payment', async () => {
  const { kasware, pay, text, close } = await mountWithWallet()
  kasware.prompts.respondWith('reject')
  pay()
  await expect.poll(text).toMatch(/reject/i)
  await close()
})
