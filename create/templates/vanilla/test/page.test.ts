import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMemoryDevnode, type MemoryDevnode } from 'vue-chain/devnode/memory'
import { light } from 'vue-chain/light'
import { createChainEngine, kaspaToSompi, type ChainEngine } from 'vue-chain/streams'
import page from '../index.html?raw'
import { startPage } from '../src/page'

let devnode: MemoryDevnode
let engine: ChainEngine

beforeEach(() => {
  document.body.innerHTML = /<body>([^]*)<\/body>/.exec(page)![1]!
  devnode = createMemoryDevnode({ blockInterval: 0 }) // no ports, blocks on demand
  engine = createChainEngine({ ...devnode.engineOptions, sdk: light })
  startPage(engine, devnode.accounts[0]!)
})

afterEach(async () => {
  await engine.dispose() // completes all streams
  await devnode.close()
})

const textOf = (id: string) => () => document.getElementById(id)?.textContent

/** Writes the form as a user does, and sends it. */
function pay(to: string, amount: string): void {
  const form = document.querySelector('form')!
  for (const [name, value] of Object.entries({ to, amount }))
    form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = value
  form.dispatchEvent(new Event('submit', { cancelable: true }))
}

it('shows the connection and the balance of the account', async () => {
  await expect.poll(textOf('state')).toBe('connected')
  await expect.poll(textOf('balance')).toBe('1000 KAS')

  await devnode.fund(devnode.accounts[0]!.address, kaspaToSompi('2.5'))
  await expect.poll(textOf('balance')).toContain('1002.5 KAS')
})

it('pays, and follows the payment into the chain', async () => {
  const recipient = devnode.accounts[1]!.address
  const texts: string[] = []
  const observer = new MutationObserver(() => texts.push(textOf('payment')()!))
  observer.observe(document.getElementById('payment')!, { childList: true })
  pay(recipient, '2.5')
  await expect.poll(textOf('payment')).toContain('mempool')
  expect(texts.join()).not.toContain('unknown')

  await devnode.mine(2) // a block with the payment, and one that accepts it
  await expect.poll(textOf('payment')).toContain('accepted')
  expect(devnode.expected.balances([recipient])[0]?.mature).toBe(kaspaToSompi('1002.5'))
})

it('explains why a payment is not possible', async () => {
  pay(devnode.accounts[1]!.address, '5000')
  await expect.poll(textOf('payment')).toContain('1000 KAS can be spent')
})

it('takes no second order while the network may have the first payment', async () => {
  const [, recipient] = devnode.accounts
  devnode.faults.failCall({ method: 'submitTransaction' }) // a refusal proves nothing: other nodes may take it
  pay(recipient!.address, '2.5')
  await expect.poll(textOf('payment')).toMatch(/[0-9a-f]{64}/)
  pay(recipient!.address, '7')
  await expect.poll(textOf('payment')).toContain('sent')
  await devnode.mine(2)
  await expect.poll(textOf('score')).toBe(String(devnode.expected.virtualDaaScore()))
  expect(devnode.expected.mempool()).toEqual([])
  expect(devnode.expected.balances([recipient!.address])[0]?.mature).toBe(kaspaToSompi('1000'))
})
