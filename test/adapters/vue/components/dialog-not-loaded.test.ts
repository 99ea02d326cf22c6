// @vitest-environment happy-dom
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createApp } from 'vue'
import type * as Component from '../../../../src/adapters/vue/components/ConnectWallet.js'
import type * as Plugin from '../../../../src/adapters/vue/plugin/plugin.js'
import type * as Testing from '../../../../src/testing/index.js'
import { createFailingImports } from '../../../loading/failing-imports.js'

const DIALOG = 'adapters/vue/components/connect-wallet/WalletDialog'
const failing = createFailingImports()

let api: typeof Component & typeof Plugin & typeof Testing

beforeAll(async () => {
  const entries = ['adapters/vue/components/ConnectWallet', 'adapters/vue/plugin/plugin', 'testing/index']
  api = (await failing.load(entries)) as typeof api
})
afterAll(() => failing.remove())

it('is code-not-loaded where the dialog cannot be fetched, and the next opening loads it again', async () => {
  const errors: unknown[] = []
  const container = document.body.appendChild(document.createElement('div'))
  const app = createApp(api.ConnectWallet)
  app.config.errorHandler = (error) => void errors.push(error)
  const wallets = api.createTestWallets(api.createTestPage())
  app.use(api.VueChain, { network: 'mainnet', autoConnect: false, ports: { wallets } }).mount(container)
  const open = (): void => container.querySelector<HTMLButtonElement>('.vc-trigger')?.click()

  failing.isMissing = (module) => module === DIALOG
  open()
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  expect(errors[0]).toMatchObject({
    code: 'code-not-loaded',
    hint: expect.stringMatching(/^Reload the page/) as string,
  })
  expect([failing.refused, container.querySelector('dialog')]).toEqual([[DIALOG], null])

  failing.isMissing = () => false
  open()
  await vi.waitFor(() => expect(container.querySelector('dialog')).not.toBeNull())
  expect(errors).toHaveLength(1)
  app.unmount()
  container.remove()
})
