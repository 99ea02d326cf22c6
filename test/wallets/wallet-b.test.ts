import { describe, expect, it } from 'vitest'
import { toScriptPublicKey } from '../../src/model/address.js'
import { createFakeWalletB, type FakeWalletBOptions } from '../../src/testing/wallets/wallet-b/fake.js'
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
} from './harness.js'

useFakeTime()

const PERMITTED = { state: { permissions: ['0@localhost'] } }
const LARGE = 9_007_199_254_740_993n

async function createConnected(options: FakeWalletBOptions = {}) {
  const harness = createHarness()
  const wallet = createFakeWalletB({ page: harness.page, ...options })
  wallet.install()
  const session = harness.openSession()
  await outcome(session.connect('walletB'))
  const sent = (): readonly (readonly unknown[])[] =>
    wallet.calls.filter(({ method }) => /^(send|build|sign)/.test(method)).map(({ method, args }) => [method, ...args])
  return { ...harness, wallet, session, sent }
}

describe('connecting to Kastle', () => {
  it('provides address, key, network and one figure of its balance', async () => {
    const { session } = await createConnected()
    expect(accountOf(session.state)).toEqual({
      status: 'connected',
      provider: 'walletB',
      address: ADDRESS,
      publicKey: PUBLIC_KEY,
      network: 'mainnet',
      balance: null,
    })
    expect(session.state.reportedBalance).toBe(200_000_000_000n)
  })

  it.each([
    [{ ok: true }, 'connected'],
    [false, 'disconnected'],
    [undefined, 'disconnected'],
  ])('maps the result %j to %s', async (result, status) => {
    const harness = createHarness()
    const getAccount = () => Promise.resolve({ address: ADDRESS, publicKey: PUBLIC_KEY })
    Object.assign(harness.page, { kastle: { connect: () => Promise.resolve(result), getAccount } })
    const session = harness.openSession()
    await outcome(session.connect('walletB').catch(() => undefined))
    expect(session.state.status).toBe(status)
  })

  it('compresses the key of a hardware wallet', async () => {
    const harness = createHarness()
    const wallet = createFakeWalletB({ page: harness.page })
    wallet.behavior.publicKey = 'uncompressed'
    wallet.install()
    const session = harness.openSession()
    await outcome(session.connect('walletB'))
    expect(session.state.publicKey).toBe(PUBLIC_KEY)
  })

  it.each([
    ['the object long before the relay', { order: 'object first', gap: 1_500 }],
    ['the event long before the object', { order: 'event first', gap: 1_500 }],
  ] as const)('drops no call if the page gets %s', async (_, arrival) => {
    const harness = createHarness({ readyState: 'loading' })
    const wallet = createFakeWalletB({ page: harness.page, arrival })
    const session = harness.openSession()
    const connecting = begin(session.connect('walletB'))
    harness.page.setState({ readyState: 'interactive' })
    wallet.install()
    await outcome(connecting)
    expect(session.state.address).toBe(ADDRESS)
  })

  it.each(['2.36', '2.59'] as const)('detects the relay of %s in a loaded page', async (profile) => {
    const harness = createHarness({ readyState: 'complete' })
    const wallet = createFakeWalletB({ page: harness.page, profile, arrival: { order: 'object first', gap: 700 } })
    wallet.install()
    const session = harness.openSession()
    await outcome(session.connect('walletB'))
    expect(session.state.address).toBe(ADDRESS)
  })

  it('works without the methods that older versions lack', async () => {
    const { session } = await createConnected({ profile: '2.36' })
    expect(session.state).toMatchObject({ address: ADDRESS, network: 'mainnet' })
  })

  it('keeps its account while locked', async () => {
    const { wallet, session, page } = await createConnected()
    wallet.lock()
    page.dispatchEvent(new Event('focus'))
    await advance()
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
  })

  it('rejects if no wallet has been created', async () => {
    const harness = createHarness()
    const wallet = createFakeWalletB({ page: harness.page, state: { status: 'empty' } })
    wallet.install()
    const error = await failure(harness.openSession().connect('walletB'))
    expect(error).toMatchObject({ code: 'not-connected', cause: { message: 'Extension is not initialized' } })
  })
})

describe('a payment through Kastle', () => {
  it('is built with amounts as strings, then signed and sent', async () => {
    const { wallet, session, sent } = await createConnected()
    wallet.setBalance(3n * LARGE)
    const id = await outcome(session.sendKaspa(OTHER_ADDRESS, LARGE, { priorityFee: 1n, payload: '00ff' }))
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    const options = { priorityFee: '1', payload: '00ff' }
    expect(sent()).toEqual([
      ['buildTransaction', [{ address: OTHER_ADDRESS, amount: String(LARGE) }], options],
      ['signAndBroadcastTx', 'mainnet', expect.stringContaining(id)],
    ])
    expect(wallet.bigints).toEqual([])
  })

  it.each([
    ['recipient', toScriptPublicKey(OTHER_ADDRESS).script, toScriptPublicKey(ADDRESS).script, 'unexpected-response'],
    ['amount', '\\"20000000\\"', '\\"20000001\\"', 'unexpected-response'],
    ['network', '"mainnet"', '"testnet-10"', 'wrong-network'],
  ])('is not signed if the wallet builds it with another %s', async (_, own, other, code) => {
    const { wallet, session, sent } = await createConnected()
    const { provider } = wallet
    const build = provider.buildTransaction.bind(provider)
    const buildTransaction = async (...args: Parameters<typeof build>): Promise<unknown> =>
      JSON.parse(JSON.stringify(await build(...args)).replace(own, other))
    Object.assign(provider, { buildTransaction })
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 20_000_000n))
    expect(error).toMatchObject({ operation: 'sendKaspa', code, outcome: 'unsent' })
    expect(sent().map(([method]) => method)).toEqual(['buildTransaction'])
  })

  it('rejects a payment of several transactions without a prompt', async () => {
    const { wallet, session } = await createConnected()
    wallet.behavior.transactions = 3
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 50_000_000n))
    expect(error).toMatchObject({ code: 'failed', hint: expect.stringContaining('Compound') as string })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('uses sendKaspa with numbers if the version cannot build', async () => {
    const { wallet, session, sent } = await createConnected({ profile: '2.36' })
    await outcome(session.sendKaspa(OTHER_ADDRESS, 20_000_000n))
    expect(sent()).toEqual([['sendKaspa', OTHER_ADDRESS, 20_000_000, { priorityFee: 0 }]])
    expect(await failure(session.sendKaspa(OTHER_ADDRESS, LARGE))).toMatchObject({ argument: 'amount' })
    expect(wallet.bigints).toEqual([])
  })

  it('rejects an amount below 0.2 KAS', async () => {
    const { session, sent } = await createConnected()
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 19_999_999n))
    expect(error).toMatchObject({ code: 'invalid-argument', argument: 'amount' })
    expect(error.cause).toBeInstanceOf(RangeError)
    expect(sent()).toEqual([])
    await outcome(session.sendKaspa(OTHER_ADDRESS, 20_000_000n))
  })

  it('has an unknown outcome if its prompt times out', async () => {
    const { wallet, session } = await createConnected()
    wallet.prompts.respondWith('wait')
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 20_000_000n), 10_000)
    expect(error).toMatchObject({ code: 'unknown-outcome', cause: { message: 'Timeout' } })
    expect(session.state).toMatchObject({ pending: null, error: { code: 'unknown-outcome' } })
  })

  it('fails with a timeout if only the build timed out', async () => {
    const { wallet, session } = await createConnected()
    wallet.dropNext('kas:build_transaction')
    expect(await failure(session.sendKaspa(OTHER_ADDRESS, 20_000_000n), 40_000)).toMatchObject({ code: 'timeout' })
  })

  it.each(['Unknown error', 'RPC: channel receive error', 'Failed to create transaction'])(
    'has failed if only the build rejects with "%s"',
    async (message) => {
      const { wallet, session } = await createConnected()
      wallet.failNext('kas:build_transaction', new Error(message))
      const error = await failure(session.sendKaspa(OTHER_ADDRESS, 20_000_000n))
      expect(error).toMatchObject({ operation: 'sendKaspa', code: 'failed', cause: { message } })
      expect(error.hint).toBeTruthy()
    },
  )

  it('has an unknown outcome if the error of the node names no transaction', async () => {
    const { wallet, session } = await createConnected()
    const words = 'Failed to sign and broadcast transaction: Error: RPC Server (remote error) -> Rejected transaction'
    wallet.failNext('kas:sign_and_broadcast_tx', new Error(words))
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 20_000_000n))
    expect(error).toMatchObject({ code: 'unknown-outcome', cause: { message: words } })
  })
})

describe('changes in Kastle', () => {
  it('are applied for an account without permission, and back', async () => {
    const { wallet, session } = await createConnected()
    wallet.selectAccount(1)
    await advance(200)
    expect(session.state).toMatchObject({
      status: 'disconnected-by-wallet',
      provider: null,
      address: null,
      publicKey: null,
    })
    wallet.selectAccount(0)
    await advance(200)
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('are detected for a revoked permission, which has no event', async () => {
    const { wallet, session } = await createConnected()
    wallet.forgetSite()
    await advance(200)
    expect(session.state.status).toBe('disconnected-by-wallet')
  })

  it('of the network are applied', async () => {
    const { wallet, session } = await createConnected()
    wallet.switchNetwork('testnet-10')
    await advance(100)
    expect(session.state).toMatchObject({ network: 'testnet-10', address: TESTNET_ADDRESS })
  })

  it('never combine an address with another network', async () => {
    const { wallet, session } = await createConnected()
    const pairs = new Set<string>()
    session.state$.subscribe(({ network, address }) => pairs.add(`${network} ${address?.slice(0, 9)}`))
    wallet.behavior.address = 'stale'
    wallet.switchNetwork('testnet-10')
    await advance(10_000)
    wallet.updateAddress()
    await advance(10_000)
    expect(pairs).toEqual(new Set(['mainnet kaspa:qqd', 'null undefined', 'testnet-10 kaspatest']))
  })

  it('ignore messages of the EVM provider', async () => {
    const { wallet, session } = await createConnected()
    wallet.notifier.noise()
    await advance(200)
    expect(session.state.status).toBe('connected')
  })
})

describe('switching Kastle to another network', () => {
  it('resolves when its address changes', async () => {
    const { wallet, session } = await createConnected()
    wallet.behavior.address = 'stale'
    const switching = begin(session.switchNetwork('testnet-10'))
    await advance(500)
    wallet.updateAddress()
    await outcome(switching)
    expect(session.state).toMatchObject({ network: 'testnet-10', address: TESTNET_ADDRESS })
  })

  it('rejects as wrong-network while the address stays, with the remedy', async () => {
    const { wallet, session } = await createConnected()
    wallet.behavior.address = 'stale'
    const error = await failure(session.switchNetwork('testnet-10'), 10_000)
    expect(error).toMatchObject({ operation: 'switchNetwork', code: 'wrong-network' })
    expect(error.hint).toContain('Open the wallet')
  })

  it('rejects unsupported networks', async () => {
    const { session } = await createConnected()
    expect(await failure(session.switchNetwork('testnet-12'))).toMatchObject({ code: 'unsupported' })
  })
})

describe('Kastle with the address of another network than it reports', () => {
  async function createContradictory() {
    const connected = await createConnected()
    connected.wallet.behavior.address = 'stale'
    connected.wallet.switchNetwork('testnet-10')
    await advance(5_000)
    return connected
  }
  const EMPTY = { address: null, publicKey: null, network: null, balance: null, reportedBalance: null }

  it('is no connection, and shows neither account nor balance, for as long as it lasts', async () => {
    const { session } = await createContradictory()
    await advance(180_000)
    expect(session.state).toMatchObject({ status: 'wrong-network', provider: 'walletB', ...EMPTY })
  })

  it('refuses a payment before a window opens', async () => {
    const { wallet, session, sent } = await createContradictory()
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 20_000_000n))
    expect(error).toMatchObject({ operation: 'sendKaspa', code: 'wrong-network' })
    expect(error.hint).toContain('Open the wallet')
    expect([wallet.prompts.shown, sent()]).toEqual([1, []])
  })

  it('refuses a payment that is called before the state has noticed', async () => {
    const { wallet, session, sent } = await createConnected()
    wallet.behavior.address = 'stale'
    wallet.switchNetwork('testnet-10')
    expect(session.state.status).toBe('connected')
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 20_000_000n), 10_000)
    expect(error).toMatchObject({ operation: 'sendKaspa', code: 'wrong-network' })
    expect([wallet.prompts.shown, sent()]).toEqual([1, []])
  })

  it('is connected again once the wallet has updated its address', async () => {
    const { wallet, session } = await createContradictory()
    wallet.updateAddress()
    await advance(6_000)
    expect(session.state).toMatchObject({ status: 'connected', network: 'testnet-10', address: TESTNET_ADDRESS })
  })

  it('rejects connect(), and connects by itself later', async () => {
    const { wallet, session, openSession } = await createContradictory()
    session.dispose()
    const next = openSession()
    await advance(5_000)
    expect(next.state).toMatchObject({ status: 'wrong-network', ...EMPTY })
    expect(await failure(next.connect('walletB'), 10_000)).toMatchObject({
      operation: 'connect',
      code: 'wrong-network',
    })
    wallet.updateAddress()
    await advance(6_000)
    expect(next.state).toMatchObject({ status: 'connected', address: TESTNET_ADDRESS })
  })
})

describe('a wallet that reports no network', () => {
  const connectWith = async (address: string, network?: unknown) => {
    const { page, openSession } = createHarness()
    const account = { getAccount: () => ({ address, publicKey: PUBLIC_KEY }), getNetwork: () => network }
    Object.assign(page, { kastle: { connect: () => true, ...account } })
    const session = openSession()
    await outcome(session.connect('walletB'), 10_000)
    return session.state
  }

  it.each([
    [ADDRESS, 'mainnet'],
    [TESTNET_ADDRESS, 'testnet-10'], // the only testnet of this wallet
  ])('is on the network of its address %s', async (address, network) => {
    expect(await connectWith(address)).toMatchObject({ status: 'connected', address, network })
  })
})

describe('restoring Kastle on the next visit', () => {
  it('shows no prompt', async () => {
    const harness = createHarness()
    harness.platform.storage.set('vue-chain:wallet', 'walletB')
    const wallet = createFakeWalletB({ page: harness.page, ...PERMITTED })
    wallet.install({ after: 300 })
    const session = harness.openSession()
    await advance(2_000)
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS, error: null })
    expect([wallet.prompts.shown, wallet.calls.filter(({ method }) => method === 'connect')]).toEqual([0, []])
  })

  it('does not restore after disconnect(), although the site stays permitted', async () => {
    const { wallet, session, openSession } = await createConnected()
    await outcome(session.disconnect())
    session.dispose()
    const next = openSession()
    await advance(10_000)
    expect(next.state.status).toBe('disconnected')
    await outcome(next.connect('walletB'))
    expect(wallet.prompts.shown).toBe(1)
  })
})

it('passes the inputs that the caller named, with sighash types in Kastle’s names', async () => {
  const { session, sent } = await createConnected()
  const txJson = JSON.stringify({ inputs: [{}, {}] })
  await failure(session.signPskt(txJson))
  await failure(session.signPskt(txJson, { signInputs: [{ index: 1, sighashType: 130 }] }))
  await failure(session.signPskt(txJson, { signInputs: [{ index: 0 }, { index: 1 }] }))
  expect(sent()).toEqual([
    ['signTx', 'mainnet', txJson],
    ['signTx', 'mainnet', txJson, [{ inputIndex: 1, signType: 'NoneAnyOneCanPay' }]],
    [
      'signTx',
      'mainnet',
      txJson,
      [
        { inputIndex: 0, signType: 'All' },
        { inputIndex: 1, signType: 'All' },
      ],
    ],
  ])
})
