// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useVueChain } from '../../../src/adapters/vue/composables/useVueChain.js'
import { useWallet } from '../../../src/adapters/vue/composables/useWallet.js'
import { createFakeAnnouncedWallet } from '../../../src/testing/wallets/announced/fake.js'
import { createTestPage, createTestWallets } from '../../../src/testing/wallets/page.js'
import { createFakeWalletA } from '../../../src/testing/wallets/wallet-a/fake.js'
import { createFakeWalletB } from '../../../src/testing/wallets/wallet-b/fake.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { ADDRESS, OTHER_ADDRESS, PUBLIC_KEY } from '../../wallets/harness.js'
import { withApp } from './with-app.js'
import { LIMIT } from '../../limits.js'
import { turn } from '../../turn.js'

beforeEach(() => localStorage.clear())

/** An app on a page with all three wallets. */
function open<T>(setup: () => T) {
  const page = createTestPage()
  const options = { page, memory: 'none', latency: 0 } as const
  const walletA = createFakeWalletA(options)
  const walletB = createFakeWalletB({ ...options, timeout: LIMIT, arrival: { order: 'object first', gap: 0 } })
  const announced = createFakeAnnouncedWallet(options)
  for (const wallet of [walletA, walletB, announced]) wallet.install()
  const app = () => withApp(createScriptedNode(), setup, { ports: { wallets: createTestWallets(page) } })
  return { ...app(), page, walletA, walletB, announced, again: app }
}

describe('useWallet', () => {
  it('starts disconnected, and detects installed wallets', async () => {
    const { result } = open(() => {
      const wallet = useWallet()
      return { wallet, first: [wallet.isWalletAInstalled.value, wallet.status.value] }
    })
    expect(result.first).toEqual([false, 'disconnected'])
    const { isWalletAInstalled, isWalletBInstalled, discovered } = result.wallet
    await expect.poll(() => [isWalletAInstalled.value, isWalletBInstalled.value]).toEqual([true, true])
    expect(discovered.value.map(({ name }) => name)).toEqual(['Example Wallet'])
  })

  it('does not detect wallets until it is read', async () => {
    const { result, page } = open(useVueChain)
    const onRequest = vi.fn()
    page.addEventListener('kaspa:requestProvider', onRequest)
    await turn()
    expect(onRequest).not.toHaveBeenCalled()
    expect(result.wallet.isConnected.value).toBe(false)
    await expect.poll(() => onRequest).toHaveBeenCalled()
  })

  it('connects, shows the account, and disconnects', async () => {
    const { result: wallet, walletA } = open(useWallet)
    walletA.prompts.respondWith('wait')
    const connecting = wallet.connect('walletA')
    await expect.poll(() => walletA.prompts.open).toHaveLength(1)
    expect([wallet.isConnecting.value, wallet.pending.value]).toEqual([true, 'connect'])
    walletA.prompts.open[0]?.respond('approve')
    await connecting
    expect([wallet.isConnecting.value, wallet.isConnected.value, wallet.provider.value]).toEqual([
      false,
      true,
      'walletA',
    ])
    expect([wallet.address.value, wallet.publicKey.value, wallet.network.value]).toEqual([
      ADDRESS,
      PUBLIC_KEY,
      'mainnet',
    ])
    expect(wallet.balance.value?.total).toBe(120_000_000_000n)
    expect(wallet.wallet.value?.name).toBe('KasWare')
    await wallet.disconnect()
    expect([wallet.isConnected.value, wallet.provider.value, wallet.balance.value]).toEqual([false, null, null])
  })

  it('has no balance of walletB', async () => {
    const { result: wallet } = open(useWallet)
    await wallet.connect('walletB')
    expect([wallet.provider.value, wallet.address.value, wallet.balance.value]).toEqual(['walletB', ADDRESS, null])
  })

  it('connects to a wallet that announced itself', async () => {
    const { result: wallet } = open(useWallet)
    await expect.poll(() => wallet.discovered.value).toHaveLength(1)
    const [discovered] = wallet.discovered.value
    if (discovered !== undefined) await wallet.connect(discovered)
    expect([wallet.isConnected.value, wallet.provider.value, wallet.wallet.value]).toEqual([true, null, discovered])
  })

  it('pays, signs and switches the network, and keeps the last error', async () => {
    const { result: wallet, walletB } = open(useWallet)
    await wallet.connect('walletB')
    expect(await wallet.sendKaspa(OTHER_ADDRESS, 20_000_000n)).toMatch(/^[0-9a-f]{64}$/)
    expect(await wallet.signMessage('x')).toMatchObject({ message: 'x', publicKeyHex: PUBLIC_KEY })
    walletB.prompts.respondWith('reject')
    await expect(wallet.switchNetwork('testnet-10')).rejects.toMatchObject({ operation: 'switchNetwork' })
    expect(wallet.error.value).toMatchObject({ code: 'rejected', operation: 'switchNetwork' })
    walletB.prompts.respondWith('approve')
    await wallet.switchNetwork('testnet-10')
    expect([wallet.network.value, wallet.error.value]).toEqual(['testnet-10', null])
  })

  it('shares one wallet per app, also with later components', async () => {
    const { result, app } = open(() => [useWallet(), useVueChain().wallet] as const)
    const [one, other] = result
    await one.connect('walletA')
    expect(other.address.value).toBe(ADDRESS)
    expect(app.runWithContext(useWallet).isConnected.value).toBe(true)
  })

  it('removes its listeners with the app', async () => {
    const { result: wallet, walletA, unmount } = open(useWallet)
    await wallet.connect('walletA')
    expect(walletA.listeners).toBeGreaterThan(0)
    unmount()
    expect(walletA.listeners).toBe(0)
    await expect(wallet.connect('walletA')).rejects.toMatchObject({ operation: 'connect', code: 'disposed' })
  })

  it('restores the wallet on the next visit, without a prompt and without isConnecting', async () => {
    const { result, walletA, unmount, again } = open(useWallet)
    await result.connect('walletA')
    unmount()
    const next = again()
    const seen = new Set<boolean>()
    const readAddress = () => {
      seen.add(next.result.isConnecting.value)
      return next.result.address.value
    }
    await expect.poll(readAddress).toBe(ADDRESS)
    expect([walletA.prompts.shown, [...seen]]).toEqual([1, [false]])
    next.unmount()
  })
})
