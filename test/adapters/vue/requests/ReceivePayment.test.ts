// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApp, h, shallowReactive } from 'vue'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'
import { useWallet, type UseWalletReturn } from '../../../../src/adapters/vue/composables/useWallet.js'
import { ReceivePayment } from '../../../../src/adapters/vue/requests/ReceivePayment.js'
import { createTestPage, createTestWallets } from '../../../../src/testing/wallets/page.js'
import { createFakeWalletA, type FakeWalletAOptions } from '../../../../src/testing/wallets/wallet-a/fake.js'
import { createScriptedNode } from '../../../../src/testing/scripted-node.js'
import { STORED } from './stored.js'

type Props = InstanceType<typeof ReceivePayment>['$props']

let unmount: (() => void) | undefined
afterEach(() => {
  unmount?.()
  localStorage.clear()
})

/** The component on a page with KasWare installed. */
function mount(props: Partial<Props> = {}, slots: Record<string, unknown> = {}, options: FakeWalletAOptions = {}) {
  const page = createTestPage()
  const fake = createFakeWalletA({ latency: 0, memory: 'none', checkIn: 0, page, ...options })
  fake.install()
  const container = document.body.appendChild(document.createElement('div'))
  let wallet: UseWalletReturn | undefined
  const failures: unknown[] = []
  const app = createApp({
    setup() {
      wallet = useWallet()
      return () => h(ReceivePayment, { request: STORED, wallet: true, ...props }, slots)
    },
  })
  app.config.errorHandler = (error) => void failures.push(error)
  app.config.warnHandler = () => undefined
  app
    .use(VueChain, {
      network: 'mainnet',
      autoConnect: false,
      ports: { wallets: createTestWallets(page), node: createScriptedNode() },
    })
    .mount(container)
  unmount = () => {
    app.unmount()
    container.remove()
  }
  const button = () =>
    [...container.querySelectorAll('button')].find(({ textContent }) => /Pay|Sent|Confirm/.test(textContent))
  return { container, fake, failures, wallet: () => wallet!, button }
}

describe('<ReceivePayment>', () => {
  it('offers what is left to pay as a link and as texts to copy', async () => {
    const { container } = mount()
    const link = container.querySelector('a')
    expect(link?.getAttribute('href')).toBe(`${STORED.address}?amount=12.5&label=Shop`)
    expect(container.querySelector('.vc-receive-sum')?.textContent).toBe('12.5 KAS')
    await vi.waitFor(() => expect(container.querySelector('svg.vc-qr path')).not.toBeNull())
  })

  it('pays with the connected wallet, once', async () => {
    const { wallet, button, fake } = mount()
    expect(button()).toBeUndefined()
    await wallet().connect('walletA')
    await vi.waitFor(() => expect(button()?.textContent).toBe('Pay with KasWare'))
    button()?.click()
    await vi.waitFor(() => expect(button()?.textContent).toBe('Sent with KasWare'))
    expect(button()?.disabled).toBe(true)
    expect(fake.calls.filter(({ method }) => method === 'sendKaspa')).toHaveLength(1)
  })

  it('says nothing of the request before once another one is shown, and does not offer that again', async () => {
    const next = { ...STORED, address: 'kaspa:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszu8g5qjdh' }
    const props = shallowReactive({ request: STORED })
    const { wallet, button } = mount(props)
    await wallet().connect('walletA')
    await vi.waitFor(() => expect(button()).toBeDefined())
    button()?.click()
    await vi.waitFor(() => expect(button()?.textContent).toBe('Sent with KasWare'))
    props.request = next
    await vi.waitFor(() => expect(button()?.textContent).toBe('Pay with KasWare'))
    expect(button()?.disabled).toBe(false)
    props.request = STORED
    await vi.waitFor(() => expect(button()?.textContent).toBe('Sent with KasWare'))
  })

  it('does not offer again, after a reload, what the wallet may have sent', async () => {
    const before = mount()
    await before.wallet().connect('walletA')
    await vi.waitFor(() => expect(before.button()).toBeDefined())
    before.fake.prompts.respondWith('wait')
    before.button()?.click()
    await vi.waitFor(() => expect(before.button()?.textContent).toBe('Confirm in KasWare …'))
    unmount?.()
    const { wallet, button, container } = mount()
    await wallet().connect('walletA')
    await vi.waitFor(() => expect(button()?.disabled).toBe(true))
    expect(container.querySelector('[role=alert]')?.textContent).toContain('did not say whether it paid')
    wallet().dismissInterrupted(wallet().interrupted.value[0]!.id)
    await vi.waitFor(() => expect(button()?.disabled).toBe(false))
  })

  it('offers the wallet again after its user declined', async () => {
    const { wallet, button, container, fake } = mount()
    await wallet().connect('walletA')
    await vi.waitFor(() => expect(button()).toBeDefined())
    fake.prompts.respondWith('reject')
    button()?.click()
    await vi.waitFor(() => expect(container.querySelector('[role=alert]')?.textContent).toBe('KasWare did not pay.'))
    expect(button()?.disabled).toBe(false)
  })

  it('refuses settings with an account: the page would show all orders', () => {
    const { failures, container } = mount({ request: { account: {}, amount: 1n } as unknown as Props['request'] })
    expect(failures).toMatchObject([{ code: 'invalid-argument', argument: 'request' }])
    expect(container.querySelector('section')).toBeNull()
  })

  it('shows a problem in place of a request that was changed', async () => {
    const { container } = mount({ request: { ...STORED, amount: '-5' } })
    await vi.waitFor(() => expect(container.querySelector('.vc-problem')?.textContent).toContain('cannot be shown'))
    expect(container.querySelector('svg')).toBeNull()
  })

  it('renders slots in place of its parts', () => {
    const slots = {
      amount: ({ amount, text }: { amount: bigint; text: string }) => h('b', `${amount} ${text}`),
      qr: ({ text }: { text: string }) => h('i', text),
      footer: ({ state }: { state: { freshness: string } }) => h('em', state.freshness),
    }
    const { container } = mount({}, slots)
    const texts = ['b', 'i', 'em'].map((selector) => container.querySelector(selector)?.textContent)
    expect(texts).toEqual(['1250000000 12.5 KAS', `${STORED.address}?amount=12.5&label=Shop`, 'unknown'])
  })
})
