import { expect, it, vi } from 'vitest'
import { createFakeWalletA } from '../../../../src/testing/wallets/wallet-a/fake.js'
import { createTestPage } from '../../../../src/testing/wallets/page.js'

const KEY = 'fake-wallet-a'
const ORIGIN = 'http://localhost'

/** A storage as one tab reads it; `receive` is a change of another tab. */
function createTabStorage() {
  const values = new Map<string, string>()
  const stored: string[] = []
  return {
    stored,
    receive: (state: object) => values.set(KEY, JSON.stringify(state)),
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      stored.push(value)
      values.set(key, value)
    },
  }
}

/** The fake in a tab with this storage. */
function openTab() {
  const page = createTestPage()
  const storage = createTabStorage()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', createTabStorage())
  const wallet = createFakeWalletA({ memory: 'page', page, state: { permissions: [ORIGIN] } })
  vi.unstubAllGlobals()
  return { wallet, storage, notify: () => page.dispatchEvent(new Event('storage')) }
}

it('adopts a change of another tab and does not store it again, which would overwrite a newer one', () => {
  const { wallet, storage, notify } = openTab()
  const events: unknown[] = []
  wallet.provider.on('accountsChanged', (accounts: readonly string[]) => events.push(accounts.length))
  storage.receive({ ...wallet.state, account: 1 })
  notify()
  expect(wallet.state.account).toBe(1)
  storage.receive({ ...wallet.state, permissions: [] })
  notify()
  expect(wallet.state.permissions).toEqual([])
  expect(events).toEqual([1, 0])
  expect(storage.stored).toEqual([])
})
