import { createApp, h } from 'vue'
import { vi } from 'vitest'
import { ConnectWallet } from '../../../../src/adapters/vue/components/ConnectWallet.js'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'
import type { VueChainOptions } from '../../../../src/adapters/vue/plugin/options.js'
import { useWallet, type UseWalletReturn } from '../../../../src/adapters/vue/composables/useWallet.js'
import { type TestPage, createTestWallets } from '../../../../src/testing/wallets/page.js'

/** Upper bound in ms, so that a hanging test fails. */
const WAIT = { timeout: 20_000 }

type Props = InstanceType<typeof ConnectWallet>['$props']

/** The component through its visible texts and controls. */
export interface Screen {
  /** The button that opens the dialog. */
  readonly trigger: () => HTMLButtonElement
  /** Text of the dialog; null while it is closed. */
  readonly text: () => string | null
  /** Waits until the dialog contains the text. */
  readonly sees: (words: string | RegExp) => Promise<void>
  /** Waits for a button or link of this name and clicks it. */
  readonly press: (name: string) => Promise<void>
  /** The latest announcement to screen readers. */
  readonly announcement: () => string
  readonly find: (selector: string) => Element | null
  readonly findAll: (selector: string) => Iterable<Element>
  /** The session of the app. */
  readonly wallet: () => UseWalletReturn
  readonly unmount: () => void
}

/** Mounts ConnectWallet in a real app whose wallets are those of `page`. */
export function mountConnectWallet(
  page: TestPage,
  props: Props = {},
  slots: Record<string, unknown> = {},
  options: VueChainOptions = {},
): Screen {
  const container = document.body.appendChild(document.createElement('div'))
  let wallet: UseWalletReturn | undefined
  const app = createApp({
    setup() {
      wallet = useWallet()
      return () => h(ConnectWallet, props, slots)
    },
  })
  app
    .use(VueChain, {
      network: 'mainnet',
      autoConnect: false,
      ...options,
      ports: { wallets: createTestWallets(page), ...options.ports },
    })
    .mount(container)
  const dialog = (): Element | null => container.querySelector('dialog')
  const buttons = (): HTMLElement[] => [...container.querySelectorAll<HTMLElement>('button, a')]
  const sees: Screen['sees'] = (words) =>
    vi.waitFor(() => {
      const text = dialog()?.textContent ?? ''
      if (!(typeof words === 'string' ? text.includes(words) : words.test(text)))
        throw new Error(`The dialog contains: ${text}`)
    }, WAIT)
  return {
    trigger: () => container.querySelector<HTMLButtonElement>('.vc-trigger')!,
    text: () => dialog()?.textContent ?? null,
    sees,
    press: async (name) => {
      const button = await vi.waitFor(() => {
        const found = buttons().find((element) => nameOf(element).startsWith(name))
        if (found === undefined) throw new Error(`No ${name} among ${buttons().map(nameOf).join(', ')}`)
        return found
      }, WAIT)
      button.click()
    },
    announcement: () => [...container.querySelectorAll('[role=status]')].map(({ textContent }) => textContent).join(''),
    find: (selector) => container.querySelector(selector),
    findAll: (selector) => container.querySelectorAll(selector),
    wallet: () => wallet!,
    unmount: () => {
      if (container.isConnected) app.unmount()
      container.remove()
    },
  }
}

/** Accessible name of an element. */
function nameOf(element: Element): string {
  const clone = element.cloneNode(true) as Element
  clone.querySelectorAll('[aria-hidden]').forEach((hidden) => hidden.remove())
  return element.getAttribute('aria-label') ?? clone.textContent.trim()
}
