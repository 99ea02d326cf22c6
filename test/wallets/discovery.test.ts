import { describe, expect, it } from 'vitest'
import { createFakeAnnouncedWallet } from '../../src/testing/wallets/announced/fake.js'
import { createFakeWalletA } from '../../src/testing/wallets/wallet-a/fake.js'
import { createFakeWalletB } from '../../src/testing/wallets/wallet-b/fake.js'
import { createPageWallets } from '../../src/wallets/page-wallets.js'
import {
  ADDRESS,
  OTHER_ADDRESS,
  PUBLIC_KEY,
  TESTNET_ADDRESS,
  begin,
  createHarness,
  failure,
  useFakeTime,
  outcome,
  advance,
} from './harness.js'

useFakeTime()

describe('a built-in wallet', () => {
  it('is found if already injected', () => {
    const { page, openSession } = createHarness()
    createFakeWalletA({ page }).install()
    expect(openSession().state.installed).toEqual(['walletA'])
  })

  it('is found whenever it is injected', async () => {
    const { page, openSession } = createHarness()
    const session = openSession()
    createFakeWalletA({ page }).install({ after: 4_000 })
    createFakeWalletB({ page }).install({ after: 60_000 })
    await advance(3_900)
    expect(session.state.installed).toEqual([])
    await advance(200)
    expect(session.state.installed).toEqual(['walletA'])
    await advance(60_000)
    page.dispatchEvent(new Event('focus'))
    expect(session.state.installed).toEqual(['walletA', 'walletB'])
  })

  it('is awaited by connect() for an injection after 4 s', async () => {
    const { page, openSession } = createHarness()
    createFakeWalletA({ page }).install({ after: 4_000 })
    const session = openSession()
    const connecting = begin(session.connect('walletA'))
    await advance(3_000)
    expect(session.state).toMatchObject({ status: 'connecting', pending: 'connect', wallet: null })
    await outcome(connecting)
    expect(session.state.address).toBe(ADDRESS)
  })

  it('rejects connect() after 5 s as not installed, and later calls at once', async () => {
    const session = createHarness().openSession()
    const error = await failure(session.connect('walletB'), 5_001)
    expect(error).toMatchObject({ operation: 'connect', code: 'not-installed' })
    expect(session.state).toMatchObject({ status: 'disconnected', pending: null, error })
    expect(await failure(session.connect('walletA'), 1)).toMatchObject({ code: 'not-installed' })
  })

  it.each([undefined, null, 'walletC', '', {}, { id: 5 }])(
    'rejects connect() at once for the name %j',
    async (name) => {
      const session = createHarness().openSession()
      const connect: (wallet: never) => Promise<void> = session.connect
      const error = await failure(connect(name as never), 0)
      expect(error).toMatchObject({ operation: 'connect', code: 'invalid-argument', argument: 'wallet' })
      expect(session.state).toMatchObject({ status: 'disconnected', error })
    },
  )

  it('is not detected if the property is another object', async () => {
    const { page, openSession } = createHarness()
    Object.assign(page, { kasware: { ethereum: {} }, kastle: null })
    const session = openSession()
    await advance(6_000)
    expect(session.state.installed).toEqual([])
  })
})

describe('a wallet that announces itself', () => {
  it.each(['KCC-12', 'KIP-12'] as const)(
    'by %s is listed with name and icon and can be connected',
    async (standard) => {
      const { page, openSession } = createHarness()
      const wallet = createFakeAnnouncedWallet({ page, standard })
      const session = openSession()
      wallet.install({ after: 500 })
      await advance()
      const [discovered] = session.state.discovered
      expect(discovered).toMatchObject({ name: 'Example Wallet', rdns: 'org.example.wallet', icon: wallet.info.icon })
      if (discovered === undefined) return
      await outcome(session.connect(discovered))
      expect(session.state).toMatchObject({ status: 'connected', wallet: discovered, provider: null, address: ADDRESS })
    },
  )

  it('is requested, and listed once for repeated announcements', () => {
    const { page, openSession } = createHarness()
    createFakeAnnouncedWallet({ page }).install()
    const session = openSession()
    page.dispatchEvent(new Event('kaspa:requestProvider'))
    expect(session.state.discovered).toHaveLength(1)
  })

  it('has no remote icon, which would disclose the user', () => {
    const { page, openSession } = createHarness()
    createFakeAnnouncedWallet({ page, info: { icon: 'https://example.org/pixel.png' } }).install()
    expect(openSession().state.discovered).toMatchObject([{ icon: null }])
  })

  it('does not replace a built-in wallet', () => {
    const { page, openSession } = createHarness()
    createFakeAnnouncedWallet({ page, info: { rdns: 'walletA' } }).install()
    expect(openSession().state).toMatchObject({ installed: [], discovered: [{ id: 'announced:walletA' }] })
  })

  it('is refreshed without its events if these throw', async () => {
    const { page, openSession } = createHarness()
    const fail = () => {
      throw new Error('The extension was removed')
    }
    const account = {
      getAccounts: () => [ADDRESS],
      getNetwork: () => 'kaspa_mainnet',
      requestAccounts: () => [ADDRESS],
    }
    Object.assign(page, { kasware: { ...account, on: fail, removeListener: fail } })
    const session = openSession()
    await outcome(session.connect('walletA'))
    account.getAccounts = () => [OTHER_ADDRESS]
    Object.assign(Reflect.get(page, 'kasware') as object, account)
    page.dispatchEvent(new Event('focus'))
    await advance()
    expect(session.state.address).toBe(OTHER_ADDRESS)
    await outcome(session.disconnect())
    expect(session.state.status).toBe('disconnected')
  })

  it('is used as KasWare if it has the same methods', async () => {
    const { page, openSession } = createHarness()
    const provider = {
      requestAccounts: () => Promise.resolve([ADDRESS]),
      getAccounts: () => Promise.resolve([ADDRESS]),
      getNetwork: () => Promise.resolve('mainnet'),
      signMessage: () => Promise.resolve('ab'.repeat(64)),
    }
    const session = openSession()
    const detail = { info: { id: 'like', name: 'Like' }, provider }
    page.dispatchEvent(new CustomEvent('kaspa:provider', { detail }))
    const [like] = session.state.discovered
    if (like === undefined) throw new Error('Wallet not found')
    await outcome(session.connect(like))
    const publicKey = `02${PUBLIC_KEY.slice(2)}` // derived from the address
    expect(session.state).toMatchObject({ address: ADDRESS, network: 'mainnet', publicKey })
    expect(await outcome(session.signMessage('x'))).toMatchObject({ publicKeyHex: publicKey })
  })

  it('keeps its account without a read method until an event changes it', async () => {
    const { page, openSession } = createHarness()
    const handlers = new Set<(accounts: readonly string[]) => void>()
    const provider = {
      requestAccounts: () => Promise.resolve([ADDRESS]),
      on: (event: string, handler: () => void) => event === 'accountsChanged' && handlers.add(handler),
      removeListener: (_: string, handler: () => void) => handlers.delete(handler),
    }
    const session = openSession()
    page.dispatchEvent(new CustomEvent('kaspa:provider', { detail: { info: { id: 'bare', name: 'Bare' }, provider } }))
    const [bare] = session.state.discovered
    if (bare === undefined) throw new Error('Wallet not found')
    await outcome(session.connect(bare))
    page.dispatchEvent(new Event('focus'))
    await advance(40_000)
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS, network: 'mainnet', balance: null })
    for (const handler of handlers) handler([OTHER_ADDRESS])
    await advance()
    expect(session.state).toMatchObject({ status: 'connected', address: OTHER_ADDRESS })
    for (const handler of handlers) handler([])
    await advance()
    expect(session.state).toMatchObject({ status: 'disconnected-by-wallet', address: null })
    await outcome(session.disconnect())
    expect(handlers.size).toBe(0)
  })

  it('uses its own network names and its own event', async () => {
    const { page, openSession } = createHarness()
    const wallet = { network: 'mainnet', emitChainChanged: (): void => undefined }
    const provider = {
      requestAccounts: () => Promise.resolve([ADDRESS]),
      getAccounts: () => Promise.resolve([wallet.network === 'mainnet' ? ADDRESS : TESTNET_ADDRESS]),
      getNetwork: () => Promise.resolve(wallet.network),
      switchNetwork: (name: string) => Promise.resolve(void (wallet.network = name)),
      on: (event: string, handler: () => void) => event === 'chainChanged' && (wallet.emitChainChanged = handler),
      removeListener: () => undefined,
    }
    const session = openSession()
    page.dispatchEvent(new CustomEvent('kaspa:provider', { detail: { info: { id: 'own', name: 'Own' }, provider } }))
    const [own] = session.state.discovered
    if (own === undefined) throw new Error('Wallet not found')
    await outcome(session.connect(own, 'testnet-10'))
    expect(wallet.network).toBe('testnet-10')
    expect(session.state).toMatchObject({ network: 'testnet-10', address: TESTNET_ADDRESS })
    wallet.network = 'mainnet'
    wallet.emitChainChanged()
    await advance()
    expect(session.state).toMatchObject({ network: 'mainnet', address: ADDRESS })
  })

  it('rejects connect() with a timeout if it does not respond, as of another draft', async () => {
    const { page, openSession } = createHarness()
    const requests: unknown[] = []
    const request = (call: unknown) => {
      requests.push(call)
      return new Promise(() => undefined)
    }
    const session = openSession()
    const detail = { info: { id: 'old', name: 'Old', methods: ['kaspa:connect'] }, provider: { request } }
    page.dispatchEvent(new CustomEvent('kaspa:provider', { detail }))
    const [old] = session.state.discovered
    if (old === undefined) throw new Error('Wallet not found')
    expect(await failure(session.connect(old), 11_000)).toMatchObject({ operation: 'connect', code: 'timeout' })
    expect(requests).not.toContainEqual({ method: 'kaspa_requestAccounts', params: [] })
    expect(session.state).toMatchObject({ status: 'disconnected', pending: null })
  })

  it.each([
    null,
    {},
    { info: {}, provider: {} },
    { info: { name: 'x' }, provider: null },
    { info: { name: 'x' }, provider: {} },
  ])('ignores the announcement %j', (detail) => {
    const { page, openSession } = createHarness()
    const session = openSession()
    page.dispatchEvent(new CustomEvent('kaspa:announceProvider', { detail }))
    expect(session.state.discovered).toEqual([])
  })
})

it('removes every listener from the page', async () => {
  const { page, openSession } = createHarness()
  const listeners = new Set<unknown>()
  const [add, remove] = [page.addEventListener.bind(page), page.removeEventListener.bind(page)]
  Object.assign(page, {
    addEventListener: (type: string, listener: () => void) => {
      listeners.add(listener)
      add(type, listener)
    },
    removeEventListener: (type: string, listener: () => void) => {
      listeners.delete(listener)
      remove(type, listener)
    },
  })
  const session = openSession()
  Object.assign(page, { kasware: createFakeWalletA({ page: createHarness().page }).provider })
  await advance()
  await outcome(session.connect('walletA'))
  expect(listeners.size).toBeGreaterThan(0)
  session.dispose()
  expect(listeners.size).toBe(0)
})

it('emits an empty list and completes on a server', () => {
  const { platform } = createHarness()
  const received: unknown[] = []
  createPageWallets(platform).wallets$.subscribe({
    next: (wallets) => received.push(wallets),
    complete: () => received.push('end'),
  })
  expect(received).toEqual([[], 'end'])
})
