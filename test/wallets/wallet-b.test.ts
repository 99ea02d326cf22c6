import { describe, expect, it } from 'vitest'
import { createFakeWalletB, type FakeWalletBOptions } from '../../src/testing/wallets/wallet-b/fake.js'
import {
  ADDRESS,
  OTHER_ADDRESS,
  PUBLIC_KEY,
  TESTNET_ADDRESS,
  accountOf,
  begin,
  createScene,
  failure,
  inFakeTime,
  outcome,
  pass,
} from './scene.js'

inFakeTime()

const PERMITTED = { state: { permissions: ['0@localhost'] } }
const LARGE = 9_007_199_254_740_993n

async function connected(options: FakeWalletBOptions = {}) {
  const scene = createScene()
  const wallet = createFakeWalletB({ page: scene.page, ...options })
  wallet.install()
  const session = scene.visit()
  await outcome(session.connect('walletB'))
  const sent = (): readonly (readonly unknown[])[] =>
    wallet.calls.filter(({ method }) => /^(send|build|sign)/.test(method)).map(({ method, args }) => [method, ...args])
  return { ...scene, wallet, session, sent }
}

describe('connecting to Kastle', () => {
  it('brings address, key and network; it tells no balance', async () => {
    const { session, wallet } = await connected()
    expect(accountOf(session.state)).toEqual({
      status: 'connected',
      provider: 'walletB',
      address: ADDRESS,
      publicKey: PUBLIC_KEY,
      network: 'mainnet',
      balance: null,
    })
    expect(wallet.calls.map(({ method }) => method)).not.toContain('getBalance')
  })

  it.each([
    [{ ok: true }, 'connected'],
    [false, 'disconnected'],
    [undefined, 'disconnected'],
  ])('takes %j for an answer to mean %s', async (answer, status) => {
    const scene = createScene()
    const getAccount = () => Promise.resolve({ address: ADDRESS, publicKey: PUBLIC_KEY })
    Object.assign(scene.page, { kastle: { connect: () => Promise.resolve(answer), getAccount } })
    const session = scene.visit()
    await outcome(session.connect('walletB').catch(() => undefined))
    expect(session.state.status).toBe(status)
  })

  it('makes a hardware wallet’s long key short', async () => {
    const scene = createScene()
    const wallet = createFakeWalletB({ page: scene.page })
    wallet.answers.publicKey = 'uncompressed'
    wallet.install()
    const session = scene.visit()
    await outcome(session.connect('walletB'))
    expect(session.state.publicKey).toBe(PUBLIC_KEY)
  })

  it.each([
    ['the object long before the relay', { order: 'object first', gap: 1_500 }],
    ['the event long before the object', { order: 'event first', gap: 1_500 }],
  ] as const)('loses no call where the page gets %s', async (_, arrival) => {
    const scene = createScene({ readyState: 'loading' })
    const wallet = createFakeWalletB({ page: scene.page, arrival })
    const session = scene.visit()
    const connecting = begin(session.connect('walletB'))
    scene.page.become({ readyState: 'interactive' })
    wallet.install()
    await outcome(connecting)
    expect(session.state.address).toBe(ADDRESS)
  })

  it.each(['2.36', '2.59'] as const)(
    'finds out that calls reach %s where the page has long been loaded',
    async (profile) => {
      const scene = createScene({ readyState: 'complete' })
      const wallet = createFakeWalletB({ page: scene.page, profile, arrival: { order: 'object first', gap: 700 } })
      wallet.install()
      const session = scene.visit()
      await outcome(session.connect('walletB'))
      expect(session.state.address).toBe(ADDRESS)
    },
  )

  it('does without the methods that older versions lack', async () => {
    const { session } = await connected({ profile: '2.36' })
    expect(session.state).toMatchObject({ address: ADDRESS, network: 'mainnet' })
  })

  it('keeps its account while the wallet is locked: it shows as much as ever', async () => {
    const { wallet, session, page } = await connected()
    wallet.lock()
    page.dispatchEvent(new Event('focus'))
    await pass()
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
  })

  it('is refused where nobody has made a wallet in it', async () => {
    const scene = createScene()
    const wallet = createFakeWalletB({ page: scene.page, state: { status: 'empty' } })
    wallet.install()
    const error = await failure(scene.visit().connect('walletB'))
    expect(error).toMatchObject({ code: 'not-connected', cause: { message: 'Extension is not initialized' } })
  })
})

describe('a payment through Kastle', () => {
  it('is built first, its amounts as texts, exact whatever their size, and then signed and sent', async () => {
    const { wallet, session, sent } = await connected()
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

  it('is refused before any window where it would take several transactions, of which only the first would go out', async () => {
    const { wallet, session } = await connected()
    wallet.answers.transactions = 3
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 50_000_000n))
    expect(error).toMatchObject({ code: 'failed', hint: expect.stringContaining('Compound') as string })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('goes by sendKaspa and numbers where the version cannot build', async () => {
    const { wallet, session, sent } = await connected({ profile: '2.36' })
    await outcome(session.sendKaspa(OTHER_ADDRESS, 20_000_000n))
    expect(sent()).toEqual([['sendKaspa', OTHER_ADDRESS, 20_000_000, { priorityFee: 0 }]])
    expect(await failure(session.sendKaspa(OTHER_ADDRESS, LARGE))).toMatchObject({ argument: 'amount' })
    expect(wallet.bigints).toEqual([])
  })

  it('is refused below what Kastle pays at the least, which is 0.2 KAS', async () => {
    const { session, sent } = await connected()
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 19_999_999n))
    expect(error).toMatchObject({ code: 'invalid-argument', argument: 'amount' })
    expect(error.cause).toBeInstanceOf(RangeError)
    expect(sent()).toEqual([])
    await outcome(session.sendKaspa(OTHER_ADDRESS, 20_000_000n))
  })

  it('has an unknown outcome where its window is answered too late: the wallet may still send', async () => {
    const { wallet, session } = await connected()
    wallet.prompts.answerWith('wait')
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 20_000_000n), 10_000)
    expect(error).toMatchObject({ code: 'unknown-outcome', cause: { message: 'Timeout' } })
    expect(session.state).toMatchObject({ pending: null, error: { code: 'unknown-outcome' } })
  })

  it('is known not to have been sent where only its building had no answer', async () => {
    const { wallet, session } = await connected()
    wallet.loseNext('kas:build_transaction')
    expect(await failure(session.sendKaspa(OTHER_ADDRESS, 20_000_000n), 40_000)).toMatchObject({ code: 'timeout' })
  })

  it('fails with the node’s words where the node refused it', async () => {
    const { wallet, session } = await connected()
    const words = 'Failed to sign and broadcast transaction: Error: RPC Server (remote error) -> Rejected transaction'
    wallet.failNext('kas:sign_and_broadcast_tx', new Error(words))
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 20_000_000n))
    expect(error).toMatchObject({ code: 'failed', cause: { message: words } })
  })
})

describe('changes in Kastle', () => {
  it('are followed to an account that does not know the site, and back', async () => {
    const { wallet, session } = await connected()
    wallet.selectAccount(1)
    await pass(200)
    expect(session.state).toMatchObject({ status: 'gone', provider: null, address: null, publicKey: null })
    wallet.selectAccount(0)
    await pass(200)
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('are noticed where the site is unlinked, of which no event tells', async () => {
    const { wallet, session } = await connected()
    wallet.forgetSite()
    await pass(200)
    expect(session.state.status).toBe('gone')
  })

  it.each(['prompt', 'stale'] as const)('of the network are followed where the address is %s', async (address) => {
    const { wallet, session } = await connected()
    wallet.answers.address = address
    wallet.switchNetwork('testnet-10')
    await pass(100)
    await pass(1_000)
    expect(session.state).toMatchObject({ network: 'testnet-10', address: TESTNET_ADDRESS })
  })

  it('never show an address beside a network that it does not belong to', async () => {
    const { wallet, session } = await connected()
    const pairs = new Set<string>()
    session.state$.subscribe(({ network, address }) => pairs.add(`${network} ${address?.slice(0, 9)}`))
    wallet.answers.address = 'stale'
    wallet.switchNetwork('testnet-10')
    await pass(2_000)
    expect(pairs).toEqual(new Set(['mainnet kaspa:qqd', 'testnet-10 kaspatest']))
  })

  it('are not believed from the noise of its other chain', async () => {
    const { wallet, session } = await connected()
    wallet.news.noise()
    await pass(200)
    expect(session.state.status).toBe('connected')
  })
})

describe('switching Kastle to another network', () => {
  it('resolves once its address follows', async () => {
    const { wallet, session } = await connected()
    wallet.answers.address = 'stale'
    await outcome(session.switchNetwork('testnet-10'))
    expect(session.state).toMatchObject({ network: 'testnet-10', address: TESTNET_ADDRESS })
  })

  it('is refused for networks that it does not know', async () => {
    const { session } = await connected()
    expect(await failure(session.switchNetwork('testnet-12'))).toMatchObject({ code: 'unsupported' })
  })
})

describe('taking up Kastle on the next visit', () => {
  it('shows no window', async () => {
    const scene = createScene()
    scene.platform.storage.set('vue-chain:wallet', 'walletB')
    const wallet = createFakeWalletB({ page: scene.page, ...PERMITTED })
    wallet.install({ after: 300 })
    const session = scene.visit()
    await pass(2_000)
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS, error: null })
    expect([wallet.prompts.shown, wallet.calls.filter(({ method }) => method === 'connect')]).toEqual([0, []])
  })

  it('stays away after disconnect(), though the wallet still knows the site', async () => {
    const { wallet, session, visit } = await connected()
    await outcome(session.disconnect())
    session.dispose()
    const next = visit()
    await pass(10_000)
    expect(next.state.status).toBe('disconnected')
    await outcome(next.connect('walletB'))
    expect(wallet.prompts.shown).toBe(1)
  })
})

it('names the inputs to sign that the caller named, also all of them, in its own words for sighash types', async () => {
  const { session, sent } = await connected()
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
