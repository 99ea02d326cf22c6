import { expect, it } from 'vitest'
import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { VueChain, kaspaToSompi } from 'vue-chain'
import { createMemoryDevnode } from 'vue-chain/devnode/memory'
import { mountWithChain } from 'vue-chain/testing/vue'
import SendPayment from '../_sources/components/SendPayment.vue'

/** The form on a network in memory, which has no ports, and mines blocks on demand. */
async function mountForm() {
  const devnode = createMemoryDevnode({ blockInterval: 0 })
  const [account, recipient] = devnode.accounts
  const chain = mountWithChain(SendPayment, { devnode, props: { account } })
  await chain.ready()

  /** Writes the form as a user does, and sends it. */
  function pay(to: string, amount: string): void {
    for (const [name, value] of Object.entries({ to, amount })) {
      const input = chain.element.querySelector<HTMLInputElement>(`[name=${name}]`)!
      input.value = value
      input.dispatchEvent(new Event('input'))
    }
    chain.element.querySelector('form')!.dispatchEvent(new Event('submit', { cancelable: true }))
  }
  const text = () => chain.element.textContent
  const close = () => (chain.unmount(), devnode.close())
  return { devnode, recipient: recipient!, element: chain.element, pay, text, close }
}

it('pays, and follows the payment into the chain', async () => {
  const { devnode, recipient, element, pay, text, close } = await mountForm()
  const texts: (string | null)[] = []
  new MutationObserver(() => texts.push(text())).observe(element, {
    childList: true,
    characterData: true,
    subtree: true,
  })
  pay(recipient.address, '2.5')
  await expect.poll(text).toContain('mempool')
  expect(texts.join()).not.toContain('unknown')

  await devnode.mine(2) // a block with the payment, and one that accepts it
  await expect.poll(text).toContain('accepted')
  const [received] = devnode.expected.balances([recipient.address])
  expect(received?.mature).toBe(kaspaToSompi('1002.5'))
  await close()
})

it('cannot be submitted before the page is hydrated', async () => {
  const app = createSSRApp(SendPayment, { account: null })
  app.use(VueChain, { network: 'simnet', autoConnect: false })
  const html = await renderToString(app)
  expect(html).toContain('<form method="post">')
  expect(html).toMatch(/<button disabled[^>]*>Pay/)
})

it('explains why a payment is not possible', async () => {
  const { recipient, pay, text, close } = await mountForm()
  pay(recipient.address, '5000')
  await expect.poll(text).toContain('1000 KAS can be spent')
  await close()
})

it('takes no second payment while the network may have the first one', async () => {
  const { devnode, recipient, element, pay, text, close } = await mountForm()
  devnode.faults.failCall({ method: 'submitTransaction' }) // a refusal proves nothing: other nodes may take it
  pay(recipient.address, '2.5')
  await expect.poll(() => element.querySelector('#problem')).not.toBeNull()
  expect(element.querySelector('form')).toBeNull()
  expect(text()).toMatch(/[0-9a-f]{64}/)
  await close()
})
