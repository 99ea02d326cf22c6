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
  createScene,
  failure,
  inFakeTime,
  outcome,
  pass,
} from './scene.js'

inFakeTime()

describe('a wallet with a name of its own', () => {
  it('is found in the page that it is already in', () => {
    const { page, visit } = createScene()
    createFakeWalletA({ page }).install()
    expect(visit().state.installed).toEqual(['walletA'])
  })

  it('is found whenever it comes', async () => {
    const { page, visit } = createScene()
    const session = visit()
    createFakeWalletA({ page }).install({ after: 4_000 })
    createFakeWalletB({ page }).install({ after: 60_000 })
    await pass(3_900)
    expect(session.state.installed).toEqual([])
    await pass(200)
    expect(session.state.installed).toEqual(['walletA'])
    await pass(60_000)
    page.dispatchEvent(new Event('focus'))
    expect(session.state.installed).toEqual(['walletA', 'walletB'])
  })

  it('is waited for by connect() where it comes after 4 s', async () => {
    const { page, visit } = createScene()
    createFakeWalletA({ page }).install({ after: 4_000 })
    const session = visit()
    const connecting = begin(session.connect('walletA'))
    await pass(3_000)
    expect(session.state).toMatchObject({ status: 'connecting', pending: 'connect', wallet: null })
    await outcome(connecting)
    expect(session.state.address).toBe(ADDRESS)
  })

  it('is given up by connect() where it does not come in 5 s, and not waited for ever after', async () => {
    const session = createScene().visit()
    const error = await failure(session.connect('walletB'), 5_001)
    expect(error).toMatchObject({ operation: 'connect', code: 'not-installed' })
    expect(session.state).toMatchObject({ status: 'disconnected', pending: null, error })
    expect(await failure(session.connect('walletA'), 1)).toMatchObject({ code: 'not-installed' })
  })

  it.each([undefined, null, 'walletC', '', {}, { id: 5 }])(
    'is refused at once by connect() where it is called %j',
    async (name) => {
      const session = createScene().visit()
      const connect: (wallet: never) => Promise<void> = session.connect
      const error = await failure(connect(name as never), 0)
      expect(error).toMatchObject({ operation: 'connect', code: 'invalid-argument', argument: 'wallet' })
      expect(session.state).toMatchObject({ status: 'disconnected', error })
    },
  )

  it('is none where another object has its name', async () => {
    const { page, visit } = createScene()
    Object.assign(page, { kasware: { ethereum: {} }, kastle: null })
    const session = visit()
    await pass(6_000)
    expect(session.state.installed).toEqual([])
  })
})

describe('a wallet that announces itself', () => {
  it.each(['KCC-12', 'KIP-12'] as const)(
    'by %s is listed, with name and picture, and can be connected to',
    async (standard) => {
      const { page, visit } = createScene()
      const wallet = createFakeAnnouncedWallet({ page, standard })
      const session = visit()
      wallet.install({ after: 500 })
      await pass()
      const [discovered] = session.state.discovered
      expect(discovered).toMatchObject({ name: 'Example Wallet', rdns: 'org.example.wallet', icon: wallet.info.icon })
      if (discovered === undefined) return
      await outcome(session.connect(discovered))
      expect(session.state).toMatchObject({ status: 'connected', wallet: discovered, provider: null, address: ADDRESS })
    },
  )

  it('is asked for, and listed once however often it says its name', () => {
    const { page, visit } = createScene()
    createFakeAnnouncedWallet({ page }).install()
    const session = visit()
    page.dispatchEvent(new Event('kaspa:requestProvider'))
    expect(session.state.discovered).toHaveLength(1)
  })

  it('shows no picture that would have to be fetched, since that would tell who looks', () => {
    const { page, visit } = createScene()
    createFakeAnnouncedWallet({ page, info: { icon: 'https://example.org/pixel.png' } }).install()
    expect(visit().state.discovered).toMatchObject([{ icon: null }])
  })

  it('cannot take the place of a wallet that has a name here', () => {
    const { page, visit } = createScene()
    createFakeAnnouncedWallet({ page, info: { rdns: 'walletA' } }).install()
    expect(visit().state).toMatchObject({ installed: [], discovered: [{ id: 'announced:walletA' }] })
  })

  it('is followed without its events where these cannot be heard', async () => {
    const { page, visit } = createScene()
    const fail = () => {
      throw new Error('The extension is gone')
    }
    const account = {
      getAccounts: () => [ADDRESS],
      getNetwork: () => 'kaspa_mainnet',
      requestAccounts: () => [ADDRESS],
    }
    Object.assign(page, { kasware: { ...account, on: fail, removeListener: fail } })
    const session = visit()
    await outcome(session.connect('walletA'))
    account.getAccounts = () => [OTHER_ADDRESS]
    Object.assign(Reflect.get(page, 'kasware') as object, account)
    page.dispatchEvent(new Event('focus'))
    await pass()
    expect(session.state.address).toBe(OTHER_ADDRESS)
    await outcome(session.disconnect())
    expect(session.state.status).toBe('disconnected')
  })

  it('is spoken to as KasWare where it speaks like that', async () => {
    const { page, visit } = createScene()
    const provider = {
      requestAccounts: () => Promise.resolve([ADDRESS]),
      getAccounts: () => Promise.resolve([ADDRESS]),
      getNetwork: () => Promise.resolve('mainnet'),
      signMessage: () => Promise.resolve('ab'.repeat(64)),
    }
    const session = visit()
    const detail = { info: { id: 'like', name: 'Like' }, provider }
    page.dispatchEvent(new CustomEvent('kaspa:provider', { detail }))
    const [like] = session.state.discovered
    if (like === undefined) throw new Error('It was not found')
    await outcome(session.connect(like))
    const publicKey = `02${PUBLIC_KEY.slice(2)}` // it tells none, but its address does
    expect(session.state).toMatchObject({ address: ADDRESS, network: 'mainnet', publicKey })
    expect(await outcome(session.signMessage('x'))).toMatchObject({ publicKeyHex: publicKey })
  })

  it('keeps its account where it cannot be asked for it without a question, until it says otherwise', async () => {
    const { page, visit } = createScene()
    const handlers = new Set<(accounts: readonly string[]) => void>()
    const provider = {
      requestAccounts: () => Promise.resolve([ADDRESS]),
      on: (event: string, handler: () => void) => event === 'accountsChanged' && handlers.add(handler),
      removeListener: (_: string, handler: () => void) => handlers.delete(handler),
    }
    const session = visit()
    page.dispatchEvent(new CustomEvent('kaspa:provider', { detail: { info: { id: 'bare', name: 'Bare' }, provider } }))
    const [bare] = session.state.discovered
    if (bare === undefined) throw new Error('It was not found')
    await outcome(session.connect(bare))
    page.dispatchEvent(new Event('focus'))
    await pass(40_000)
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS, network: null, balance: null })
    for (const handler of handlers) handler([OTHER_ADDRESS])
    await pass()
    expect(session.state).toMatchObject({ status: 'connected', address: OTHER_ADDRESS })
    for (const handler of handlers) handler([])
    await pass()
    expect(session.state).toMatchObject({ status: 'gone', address: null })
    await outcome(session.disconnect())
    expect(handlers.size).toBe(0)
  })

  it('is spoken to in its own spelling of networks, and followed by its own event, where it has these', async () => {
    const { page, visit } = createScene()
    const wallet = { network: 'mainnet', tell: (): void => undefined }
    const provider = {
      requestAccounts: () => Promise.resolve([ADDRESS]),
      getAccounts: () => Promise.resolve([wallet.network === 'mainnet' ? ADDRESS : TESTNET_ADDRESS]),
      getNetwork: () => Promise.resolve(wallet.network),
      switchNetwork: (name: string) => Promise.resolve(void (wallet.network = name)),
      on: (event: string, handler: () => void) => event === 'chainChanged' && (wallet.tell = handler),
      removeListener: () => undefined,
    }
    const session = visit()
    page.dispatchEvent(new CustomEvent('kaspa:provider', { detail: { info: { id: 'own', name: 'Own' }, provider } }))
    const [own] = session.state.discovered
    if (own === undefined) throw new Error('It was not found')
    await outcome(session.connect(own, 'testnet-10'))
    expect(wallet.network).toBe('testnet-10')
    expect(session.state).toMatchObject({ network: 'testnet-10', address: TESTNET_ADDRESS })
    wallet.network = 'mainnet'
    wallet.tell()
    await pass()
    expect(session.state).toMatchObject({ network: 'mainnet', address: ADDRESS })
  })

  it('is not waited for for ever where it speaks another draft, and does not answer', async () => {
    const { page, visit } = createScene()
    const asked: unknown[] = []
    const request = (question: unknown) => {
      asked.push(question)
      return new Promise(() => undefined)
    }
    const session = visit()
    const detail = { info: { id: 'old', name: 'Old', methods: ['kaspa:connect'] }, provider: { request } }
    page.dispatchEvent(new CustomEvent('kaspa:provider', { detail }))
    const [old] = session.state.discovered
    if (old === undefined) throw new Error('It was not found')
    expect(await failure(session.connect(old), 11_000)).toMatchObject({ operation: 'connect', code: 'timeout' })
    expect(asked).not.toContainEqual({ method: 'kaspa_requestAccounts', params: [] })
    expect(session.state).toMatchObject({ status: 'disconnected', pending: null })
  })

  it.each([
    null,
    {},
    { info: {}, provider: {} },
    { info: { name: 'x' }, provider: null },
    { info: { name: 'x' }, provider: {} },
  ])('is none where it says %j', (detail) => {
    const { page, visit } = createScene()
    const session = visit()
    page.dispatchEvent(new CustomEvent('kaspa:announceProvider', { detail }))
    expect(session.state.discovered).toEqual([])
  })
})

it('takes back every listener that it placed in the page', async () => {
  const { page, visit } = createScene()
  const placed = new Set<unknown>()
  const [add, remove] = [page.addEventListener.bind(page), page.removeEventListener.bind(page)]
  Object.assign(page, {
    addEventListener: (type: string, listener: () => void) => {
      placed.add(listener)
      add(type, listener)
    },
    removeEventListener: (type: string, listener: () => void) => {
      placed.delete(listener)
      remove(type, listener)
    },
  })
  const session = visit()
  Object.assign(page, { kasware: createFakeWalletA({ page: createScene().page }).provider })
  await pass()
  await outcome(session.connect('walletA'))
  expect(placed.size).toBeGreaterThan(0)
  session.dispose()
  expect(placed.size).toBe(0)
})

it('finds none on a server, and says so at once', () => {
  const { platform } = createScene()
  const heard: unknown[] = []
  createPageWallets(platform).wallets$.subscribe({
    next: (wallets) => heard.push(wallets),
    complete: () => heard.push('end'),
  })
  expect(heard).toEqual([[], 'end'])
})
