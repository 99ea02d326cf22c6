import { describe, expect, it } from 'vitest'
import { createFakeWalletA, type FakeWalletAOptions } from '../../src/testing/wallets/wallet-a/fake.js'
import {
  ADDRESS,
  OTHER_ADDRESS,
  PUBLIC_KEY,
  TESTNET_ADDRESS,
  accountOf,
  begin,
  createHarness,
  failure,
  useFakeTime,
  outcome,
  advance,
  type Harness,
} from './harness.js'

useFakeTime()

const PERMITTED = { state: { permissions: ['http://localhost'] } }

async function createConnected(options: FakeWalletAOptions = {}, harness: Harness = createHarness()) {
  const wallet = createFakeWalletA({ page: harness.page, ...options })
  wallet.install()
  const session = harness.openSession()
  await outcome(session.connect('walletA'))
  return { ...harness, wallet, session }
}

describe('connecting to KasWare', () => {
  it('provides address, key, network and balance together', async () => {
    const { session } = await createConnected()
    expect(accountOf(session.state)).toEqual({
      status: 'connected',
      provider: 'walletA',
      address: ADDRESS,
      publicKey: PUBLIC_KEY,
      network: 'mainnet',
      balance: { confirmed: 120_000_000_000n, unconfirmed: 0n, total: 120_000_000_000n },
    })
  })

  it('waits for the check-in before it prompts', async () => {
    const harness = createHarness({ readyState: 'loading' })
    const wallet = createFakeWalletA({ page: harness.page })
    wallet.install()
    const session = harness.openSession()
    const connecting = begin(session.connect('walletA'))
    await advance()
    expect(wallet.prompts.shown).toBe(0)
    harness.page.setState({ readyState: 'complete' })
    await outcome(connecting)
    expect(wallet.prompts.shown).toBe(1)
  })

  it('stops waiting for a page that never loads', async () => {
    const harness = createHarness({ readyState: 'interactive' })
    const wallet = createFakeWalletA({ page: harness.page })
    wallet.install()
    expect(await failure(harness.openSession().connect('walletA'), 61_000)).toMatchObject({ code: 'not-connected' })
  })

  it('retries a rejection before the check-in', async () => {
    const harness = createHarness({ readyState: 'loading' })
    const wallet = createFakeWalletA({ page: harness.page, checkIn: 200 })
    wallet.install()
    harness.page.setState({ readyState: 'complete' })
    await outcome(harness.openSession().connect('walletA'))
    expect(wallet.prompts.shown).toBe(2)
  })

  it('prompts for the password of a locked wallet', async () => {
    const { wallet, session } = await createConnected({
      state: { status: 'locked', permissions: ['http://localhost'] },
    })
    expect(wallet.prompts.shown).toBe(1)
    expect(session.state.address).toBe(ADDRESS)
  })

  it('rejects with the cause of the wallet if it has no account', async () => {
    const harness = createHarness()
    const wallet = createFakeWalletA({ page: harness.page, state: { status: 'empty' } })
    wallet.install()
    const error = await failure(harness.openSession().connect('walletA'))
    expect(error).toMatchObject({ operation: 'connect', code: 'not-connected' })
    expect(error.cause).toEqual({ code: 4001, message: 'wallet must has at least one account' })
  })

  it('succeeds without a balance', async () => {
    const harness = createHarness()
    const wallet = createFakeWalletA({ page: harness.page })
    wallet.failNext('getBalance', { code: -32603, message: 'no node' })
    wallet.install()
    const session = harness.openSession()
    await outcome(session.connect('walletA'))
    expect(session.state).toMatchObject({ status: 'connected', balance: null, error: null })
  })

  it('shows the account before a late balance', async () => {
    const harness = createHarness()
    const wallet = createFakeWalletA({ page: harness.page })
    wallet.install()
    wallet.dropNext('getBalance')
    const session = harness.openSession()
    await outcome(session.connect('walletA'))
    expect(session.state).toMatchObject({ address: ADDRESS, balance: null })
    await advance(100)
    expect(session.state.balance).toMatchObject({ total: 120_000_000_000n })
  })
})

describe('a balance of KasWare', () => {
  it.each(['number', 'text'] as const)('is read from a %s', async (format) => {
    const harness = createHarness()
    const wallet = createFakeWalletA({ page: harness.page })
    wallet.behavior.balance = format
    wallet.setBalance(5n, 7n)
    wallet.install()
    const session = harness.openSession()
    await outcome(session.connect('walletA'))
    expect(session.state.balance).toEqual({ confirmed: 5n, unconfirmed: 7n, total: 12n })
  })

  it('is read again after a payment and every 30 s, but not while the page is hidden', async () => {
    const { wallet, session, platform } = await createConnected()
    wallet.setBalance(1n)
    await outcome(session.sendKaspa(OTHER_ADDRESS, 100n))
    await advance(100)
    expect(session.state.balance?.total).toBe(1n)
    wallet.setBalance(2n)
    await advance(4_000)
    expect(session.state.balance?.total).toBe(2n)
    wallet.setBalance(3n)
    await advance(30_000)
    expect(session.state.balance?.total).toBe(3n)
    platform.visible$.next(false)
    const before = wallet.calls.length
    await advance(100_000)
    expect(wallet.calls).toHaveLength(before)
  })
})

describe('a payment through KasWare', () => {
  it.each(['id', 'json', 'object'] as const)('resolves to the id if the result is an %s', async (format) => {
    const { wallet, session } = await createConnected()
    wallet.behavior.send = format
    expect(await outcome(session.sendKaspa(OTHER_ADDRESS, 100_000_000n))).toMatch(/^[0-9a-f]{64}$/)
  })

  it('passes numbers, always a fee, and a payload only if there is one', async () => {
    const { wallet, session } = await createConnected()
    await outcome(session.sendKaspa(OTHER_ADDRESS, 1n))
    await outcome(session.sendKaspa(OTHER_ADDRESS, 9_007_199_254_740_991n, { priorityFee: 5n, payload: 'C0FFEE' }))
    const sent = wallet.calls.filter(({ method }) => method === 'sendKaspa')
    expect(sent.map(({ args }) => args)).toEqual([
      [OTHER_ADDRESS, 1, { priorityFee: 0 }],
      [OTHER_ADDRESS, 9_007_199_254_740_991, { priorityFee: 5, payload: 'c0ffee' }],
    ])
    expect(wallet.bigints).toEqual([])
  })

  it.each([
    ['amount', 9_007_199_254_740_992n, 0n],
    ['options.priorityFee', 1n, 9_007_199_254_740_992n],
  ])('rejects without a prompt if %s exceeds a safe integer', async (argument, amount, priorityFee) => {
    const { wallet, session } = await createConnected()
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, amount, { priorityFee }))
    expect(error).toMatchObject({ code: 'invalid-argument', argument })
    expect(error.cause).toBeInstanceOf(RangeError)
    expect(wallet.calls.map(({ method }) => method)).not.toContain('sendKaspa')
  })

  it('is not made from another account than the one that the page shows', async () => {
    const { wallet, session } = await createConnected()
    const paid = () => wallet.calls.filter(({ method }) => method === 'sendKaspa')
    wallet.selectAccount(1)
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 1n))
    expect(error).toMatchObject({ operation: 'sendKaspa', code: 'aborted', outcome: 'unsent' })
    expect(paid()).toEqual([])
    await advance()
    expect(session.state.address).toBe(OTHER_ADDRESS)
    await outcome(session.sendKaspa(ADDRESS, 1n))
    expect(paid()).toHaveLength(1)
  })

  it('is not made on another network with the same address', async () => {
    const { wallet, session } = await createConnected({ state: { network: 'testnet-10' } })
    wallet.switchNetwork('testnet-12')
    const error = await failure(session.sendKaspa(TESTNET_ADDRESS, 1n))
    expect(error).toMatchObject({ code: 'aborted', outcome: 'unsent' })
  })

  it.each([[{ ok: true }], ['{"id":"'], [null], [true], ['kaspa:tx']])(
    'has an unknown outcome if the result is %j',
    async (result) => {
      const { page, openSession } = createHarness()
      const account = {
        getAccounts: () => [ADDRESS],
        getNetwork: () => 'kaspa_mainnet',
        getPublicKey: () => PUBLIC_KEY,
      }
      Object.assign(page, { kasware: { ...account, requestAccounts: () => [ADDRESS], sendKaspa: () => result } })
      const session = openSession()
      await outcome(session.connect('walletA'))
      const error = await failure(session.sendKaspa(OTHER_ADDRESS, 1n))
      expect(error).toMatchObject({ operation: 'sendKaspa', code: 'unknown-outcome', cause: result })
    },
  )
})

describe('a payment that KasWare made and reports as an internal error', () => {
  it('has an unknown outcome, with the advice to look at the address', async () => {
    const { wallet, session } = await createConnected()
    wallet.failNext('sendKaspa', { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: {} } })
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 1n))
    expect(error).toMatchObject({ operation: 'sendKaspa', code: 'unknown-outcome', outcome: 'unknown' })
    expect(error.hint).toContain('Look at the transactions of the paying address')
    expect(session.state.error).toBe(error)
  })

  it('has the same shape as a string that the SDK throws in the fake', async () => {
    const { wallet } = await createConnected()
    const rejection: unknown = await outcome(
      wallet.provider.sendKaspa('kaspa:x', 1, {}).catch((error: unknown) => error),
    )
    expect(rejection).toEqual({ code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: {} } })
  })
})

describe('a message signed by KasWare', () => {
  it.each(['hex', 'base64'] as const)('is hex if the wallet returns %s', async (format) => {
    const { wallet, session } = await createConnected()
    wallet.behavior.signature = format
    const { message, signature, publicKeyHex } = await outcome(session.signMessage('Hello Kaspa!'))
    expect({ message, publicKeyHex }).toEqual({ message: 'Hello Kaspa!', publicKeyHex: PUBLIC_KEY })
    expect(signature).toMatch(/^[0-9a-f]{128}$/)
  })

  it('requests a Schnorr signature', async () => {
    const { wallet, session } = await createConnected()
    await outcome(session.signMessage('x'))
    expect(wallet.calls.find(({ method }) => method === 'signMessage')?.args).toEqual(['x', { type: 'schnorr' }])
  })

  it('rejects if the account changes while the prompt is open', async () => {
    const { wallet, session } = await createConnected()
    wallet.prompts.respondWith('wait')
    const signing = begin(session.signMessage('x'))
    await advance(100)
    wallet.selectAccount(1)
    await advance(100)
    wallet.prompts.open[0]?.respond('approve')
    expect(await failure(signing)).toMatchObject({ operation: 'signMessage', code: 'aborted' })
    expect(session.state.address).toBe(OTHER_ADDRESS)
  })
})

describe('changes in KasWare', () => {
  it('update the account with key and balance', async () => {
    const { wallet, session } = await createConnected()
    wallet.selectAccount(1)
    await advance(100)
    expect(session.state.address).toBe(OTHER_ADDRESS)
    expect(session.state.publicKey).not.toBe(PUBLIC_KEY)
  })

  it('update the network with its address', async () => {
    const { wallet, session } = await createConnected()
    wallet.behavior.accountsLag = 50
    wallet.switchNetwork('testnet-10')
    await advance(500)
    expect(session.state).toMatchObject({ network: 'testnet-10', address: TESTNET_ADDRESS })
  })

  it('keep the name of an unknown network', async () => {
    const { wallet, session } = await createConnected()
    wallet.switchNetwork('testnet-11')
    await advance(100)
    expect(session.state.network).toBe('testnet-11')
  })

  it('lock it; an unlock is detected on focus', async () => {
    const { wallet, session, page } = await createConnected()
    wallet.lock()
    await advance(100)
    expect(session.state).toMatchObject({ status: 'locked', provider: 'walletA', address: null, balance: null })
    wallet.unlock()
    page.dispatchEvent(new Event('focus'))
    await advance(100)
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('report a revoked permission', async () => {
    const { wallet, session } = await createConnected()
    wallet.forgetSite()
    await advance(100)
    expect(session.state).toMatchObject({
      status: 'disconnected-by-wallet',
      provider: null,
      address: null,
      error: null,
    })
  })

  it('are applied at once for an empty account, even if the page is hidden', async () => {
    const { wallet, session, page, platform } = await createConnected()
    page.setState({ visibilityState: 'hidden' })
    platform.visible$.next(false)
    wallet.lock()
    expect(session.state.address).toBeNull()
    await advance(60_000)
    page.setState({ visibilityState: 'visible' })
    platform.visible$.next(true)
    await advance()
    expect(session.state.status).toBe('locked')
  })
})

describe('KasWare in a hidden page', () => {
  it('is read when the page is visible again, without a timeout before', async () => {
    const harness = createHarness({ visibilityState: 'hidden' })
    harness.platform.visible$.next(false)
    const wallet = createFakeWalletA({ page: harness.page })
    wallet.install()
    const session = harness.openSession()
    const connecting = begin(session.connect('walletA'))
    await advance(120_000)
    expect([session.state.pending, wallet.prompts.shown]).toEqual(['connect', 0])
    harness.page.setState({ visibilityState: 'visible' })
    harness.platform.visible$.next(true)
    await outcome(connecting)
    expect(session.state).toMatchObject({ status: 'connected', error: null })
  })

  it('times out after 10 s of visible time', async () => {
    const harness = createHarness()
    const wallet = createFakeWalletA({ page: harness.page })
    wallet.install()
    wallet.dropNext('getAccounts')
    const connecting = begin(harness.openSession().connect('walletA'))
    await advance(5_000)
    harness.platform.visible$.next(false)
    await advance(60_000)
    harness.platform.visible$.next(true)
    await advance(5_000)
    expect(await failure(connecting, 2_000)).toMatchObject({ operation: 'connect', code: 'timeout' })
  })

  it('rejects a payment while locked, without a prompt', async () => {
    const { wallet, session } = await createConnected()
    wallet.lock()
    await advance(100)
    expect(await failure(session.sendKaspa(OTHER_ADDRESS, 1n))).toMatchObject({ code: 'locked' })
    await outcome(session.connect('walletA'))
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
  })
})

describe('switching KasWare to another network', () => {
  it('uses its network name and resolves with the new address', async () => {
    const { wallet, session } = await createConnected()
    wallet.behavior.accountsLag = 300
    await outcome(session.switchNetwork('testnet-10'))
    expect(wallet.calls.find(({ method }) => method === 'switchNetwork')?.args).toEqual(['kaspa_testnet_10'])
    expect(session.state).toMatchObject({ network: 'testnet-10', address: TESTNET_ADDRESS, pending: null })
  })

  it('calls nothing if it is already on the network', async () => {
    const { wallet, session } = await createConnected()
    await outcome(session.switchNetwork('mainnet'))
    expect(wallet.calls.map(({ method }) => method)).not.toContain('switchNetwork')
  })

  it('rejects an unsupported network without a prompt', async () => {
    const { wallet, session } = await createConnected()
    expect(await failure(session.switchNetwork('simnet'))).toMatchObject({ code: 'unsupported', argument: 'network' })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('follows a connect() with a network', async () => {
    const harness = createHarness()
    const wallet = createFakeWalletA({ page: harness.page })
    wallet.install()
    const session = harness.openSession()
    await outcome(session.connect('walletA', 'testnet-10'))
    expect(session.state).toMatchObject({ status: 'connected', network: 'testnet-10' })
    expect(wallet.prompts.shown).toBe(2)
  })
})

describe('restoring KasWare on the next visit', () => {
  it('shows no prompt and reads nothing before the check-in', async () => {
    const harness = createHarness({ readyState: 'loading' })
    harness.platform.storage.set('vue-chain:wallet', 'walletA')
    const wallet = createFakeWalletA({ page: harness.page, ...PERMITTED, checkIn: 140, previousSite: 'http://other' })
    wallet.install()
    const session = harness.openSession()
    await advance()
    expect(session.state.status).toBe('disconnected')
    harness.page.setState({ readyState: 'complete' })
    await advance()
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS, pending: null, error: null })
    expect(wallet.prompts.shown).toBe(0)
  })

  it('retries for 2 s if no account is exposed', async () => {
    const harness = createHarness({ readyState: 'loading' })
    harness.platform.storage.set('vue-chain:wallet', 'walletA')
    const wallet = createFakeWalletA({ page: harness.page, ...PERMITTED, checkIn: 1_000 })
    wallet.install()
    const session = harness.openSession()
    harness.page.setState({ readyState: 'complete' })
    await advance(2_500)
    expect(session.state.status).toBe('connected')
    expect(wallet.prompts.shown).toBe(0)
  })

  it('does not restore after disconnect(), which revokes the permission', async () => {
    const { wallet, session, openSession } = await createConnected()
    await outcome(session.disconnect())
    expect(wallet.state.permissions).toEqual([])
    session.dispose()
    const next = openSession()
    await advance(10_000)
    expect(next.state.status).toBe('disconnected')
    expect(wallet.prompts.shown).toBe(1)
  })
})

it('signs each input with sighash type All by default', async () => {
  const { wallet, session } = await createConnected()
  const txJson = JSON.stringify({ inputs: [{}, {}] })
  await failure(session.signPskt(txJson)) // not a valid transaction: the test checks only the arguments
  await failure(session.signPskt(txJson, { signInputs: [{ index: 1 }] }))
  const requests = wallet.calls.filter(({ method }) => method === 'signPskt').map(({ args }) => args[0])
  const all = { sighashType: 1 }
  expect(requests).toEqual([
    {
      txJsonString: txJson,
      options: {
        signInputs: [
          { index: 0, ...all },
          { index: 1, ...all },
        ],
      },
    },
    { txJsonString: txJson, options: { signInputs: [{ index: 1, ...all }] } },
  ])
})
