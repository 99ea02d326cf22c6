import { createApp, h } from 'vue'
import { vi } from 'vitest'
import { ConnectWallet } from '../../../../src/adapters/vue/components/ConnectWallet.js'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'
import type { TestPage } from '../../../../src/testing/wallets/test-page.js'
import { createTestWallets } from '../../../../src/testing/wallets/wallets-port.js'

/** A bound for what hangs, in ms, not a measure: machines differ. */
const PATIENCE = { timeout: 20_000 }

type Props = InstanceType<typeof ConnectWallet>['$props']

/** The component as a person has it: found by its words, pressed, read. */
export interface Screen {
  /** The button that opens the dialog. */
  readonly trigger: () => HTMLButtonElement
  /** What stands in the dialog; null while it is closed. */
  readonly text: () => string | null
  /** Waits until the dialog says so. */
  readonly sees: (words: string | RegExp) => Promise<void>
  /** Waits for a button or a link of this name, and presses it. */
  readonly press: (name: string) => Promise<void>
  /** What was read out last. */
  readonly heard: () => string
  readonly find: (selector: string) => Element | null
  readonly unmount: () => void
}

/** Mounts ConnectWallet in a real app whose wallets are those of `page`. */
export function mountConnectWallet(page: TestPage, props: Props = {}, slots: Record<string, unknown> = {}): Screen {
  const place = document.body.appendChild(document.createElement('div'))
  const app = createApp({ render: () => h(ConnectWallet, props, slots) })
  app
    .use(VueChain, { network: 'mainnet', autoConnect: false, ports: { wallets: createTestWallets(page) } })
    .mount(place)
  const dialog = (): Element | null => place.querySelector('dialog')
  const buttons = (): HTMLElement[] => [...place.querySelectorAll<HTMLElement>('button, a')]
  const sees: Screen['sees'] = (words) =>
    vi.waitFor(() => {
      const text = dialog()?.textContent ?? ''
      if (!(typeof words === 'string' ? text.includes(words) : words.test(text))) throw new Error(`It says: ${text}`)
    }, PATIENCE)
  return {
    trigger: () => place.querySelector<HTMLButtonElement>('.vc-trigger')!,
    text: () => dialog()?.textContent ?? null,
    sees,
    press: async (name) => {
      const button = await vi.waitFor(() => {
        const found = buttons().find((element) => nameOf(element).startsWith(name))
        if (found === undefined) throw new Error(`No ${name} among ${buttons().map(nameOf).join(', ')}`)
        return found
      }, PATIENCE)
      button.click()
    },
    heard: () => [...place.querySelectorAll('[role=status]')].map(({ textContent }) => textContent).join(''),
    find: (selector) => place.querySelector(selector),
    unmount: () => {
      if (place.isConnected) app.unmount()
      place.remove()
    },
  }
}

/** What a screen reader calls it. */
function nameOf(element: Element): string {
  const heard = element.cloneNode(true) as Element
  heard.querySelectorAll('[aria-hidden]').forEach((hidden) => hidden.remove())
  return element.getAttribute('aria-label') ?? heard.textContent.trim()
}
