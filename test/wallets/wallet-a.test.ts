import { describe, expect, it } from 'vitest'
import { createFakeWalletA, type FakeWalletAOptions } from '../../src/testing/wallets/wallet-a/fake.js'
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
  type Scene,
} from './scene.js'

inFakeTime()

const PERMITTED = { state: { permissions: ['http://localhost'] } }

async function connected(options: FakeWalletAOptions = {}, scene: Scene = createScene()) {
  const wallet = createFakeWalletA({ page: scene.page, ...options })
  wallet.install()
  const session = scene.visit()
  await outcome(session.connect('walletA'))
  return { ...scene, wallet, session }
}

describe('connecting to KasWare', () => {
  it('brings address, key, network in our spelling and balance in sompi, all together', async () => {
    const { session } = await connected()
    expect(accountOf(session.state)).toEqual({
      status: 'connected',
      provider: 'walletA',
      address: ADDRESS,
      publicKey: PUBLIC_KEY,
      network: 'mainnet',
      balance: { confirmed: 120_000_000_000n, unconfirmed: 0n, total: 120_000_000_000n },
    })
  })

  it('waits until it knows which site this is, else it would refuse what the user agrees to', async () => {
    const scene = createScene({ readyState: 'loading' })
    const wallet = createFakeWalletA({ page: scene.page })
    wallet.install()
    const session = scene.visit()
    const connecting = begin(session.connect('walletA'))
    await pass()
    expect(wallet.prompts.shown).toBe(0)
    scene.page.become({ readyState: 'complete' })
    await outcome(connecting)
    expect(wallet.prompts.shown).toBe(1)
  })

  it('does not wait for ever for a page whose load never ends', async () => {
    const scene = createScene({ readyState: 'interactive' })
    const wallet = createFakeWalletA({ page: scene.page })
    wallet.install()
    expect(await failure(scene.visit().connect('walletA'), 61_000)).toMatchObject({ code: 'not-connected' })
  })

  it('asks once more where it was asked too early all the same', async () => {
    const scene = createScene({ readyState: 'loading' })
    const wallet = createFakeWalletA({ page: scene.page, checkIn: 200 })
    wallet.install()
    scene.page.become({ readyState: 'complete' })
    await outcome(scene.visit().connect('walletA'))
    expect(wallet.prompts.shown).toBe(2)
  })

  it('asks a locked wallet for its password', async () => {
    const { wallet, session } = await connected({ state: { status: 'locked', permissions: ['http://localhost'] } })
    expect(wallet.prompts.shown).toBe(1)
    expect(session.state.address).toBe(ADDRESS)
  })

  it('is refused, with the wallet’s own words, where nobody has made an account in it', async () => {
    const scene = createScene()
    const wallet = createFakeWalletA({ page: scene.page, state: { status: 'empty' } })
    wallet.install()
    const error = await failure(scene.visit().connect('walletA'))
    expect(error).toMatchObject({ operation: 'connect', code: 'not-connected' })
    expect(error.cause).toEqual({ code: 4001, message: 'wallet must has at least one account' })
  })

  it('does without a balance that the wallet cannot get', async () => {
    const scene = createScene()
    const wallet = createFakeWalletA({ page: scene.page })
    wallet.failNext('getBalance', { code: -32603, message: 'no node' })
    wallet.install()
    const session = scene.visit()
    await outcome(session.connect('walletA'))
    expect(session.state).toMatchObject({ status: 'connected', balance: null, error: null })
  })

  it('shows the account first where the balance takes its time, and the balance when it comes', async () => {
    const scene = createScene()
    const wallet = createFakeWalletA({ page: scene.page })
    wallet.install()
    wallet.loseNext('getBalance')
    const session = scene.visit()
    await outcome(session.connect('walletA'))
    expect(session.state).toMatchObject({ address: ADDRESS, balance: null })
    await pass(100)
    expect(session.state.balance).toMatchObject({ total: 120_000_000_000n })
  })
})

describe('a balance of KasWare', () => {
  it.each(['number', 'text'] as const)('is understood where figures come as %s', async (form) => {
    const scene = createScene()
    const wallet = createFakeWalletA({ page: scene.page })
    wallet.answers.balance = form
    wallet.setBalance(5n, 7n)
    wallet.install()
    const session = scene.visit()
    await outcome(session.connect('walletA'))
    expect(session.state.balance).toEqual({ confirmed: 5n, unconfirmed: 7n, total: 12n })
  })

  it('is asked for again after a payment, every 30 s, and not while the page is hidden', async () => {
    const { wallet, session, platform } = await connected()
    wallet.setBalance(1n)
    await outcome(session.sendKaspa(OTHER_ADDRESS, 100n))
    await pass(100)
    expect(session.state.balance?.total).toBe(1n)
    wallet.setBalance(2n)
    await pass(4_000)
    expect(session.state.balance?.total).toBe(2n)
    wallet.setBalance(3n)
    await pass(30_000)
    expect(session.state.balance?.total).toBe(3n)
    platform.visible$.next(false)
    const before = wallet.calls.length
    await pass(100_000)
    expect(wallet.calls).toHaveLength(before)
  })
})

describe('a payment through KasWare', () => {
  it.each(['id', 'json', 'object'] as const)('resolves to the id where the answer is an %s', async (form) => {
    const { wallet, session } = await connected()
    wallet.answers.send = form
    expect(await outcome(session.sendKaspa(OTHER_ADDRESS, 100_000_000n))).toMatch(/^[0-9a-f]{64}$/)
  })

  it('hands over numbers, the fee even where there is none, and a payload only where there is one', async () => {
    const { wallet, session } = await connected()
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
  ])('is refused before any window where a number cannot hold the %s', async (argument, amount, priorityFee) => {
    const { wallet, session } = await connected()
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, amount, { priorityFee }))
    expect(error).toMatchObject({ code: 'invalid-argument', argument })
    expect(error.cause).toBeInstanceOf(RangeError)
    expect(wallet.calls.map(({ method }) => method)).not.toContain('sendKaspa')
  })

  it.each([[{ ok: true }], ['{"id":"'], [null], [true], ['kaspa:tx']])(
    'has an unknown outcome where the answer is %j: the money may have moved',
    async (answer) => {
      const { page, visit } = createScene()
      const account = {
        getAccounts: () => [ADDRESS],
        getNetwork: () => 'kaspa_mainnet',
        getPublicKey: () => PUBLIC_KEY,
      }
      Object.assign(page, { kasware: { ...account, requestAccounts: () => [ADDRESS], sendKaspa: () => answer } })
      const session = visit()
      await outcome(session.connect('walletA'))
      const error = await failure(session.sendKaspa(OTHER_ADDRESS, 1n))
      expect(error).toMatchObject({ operation: 'sendKaspa', code: 'unknown-outcome', cause: answer })
    },
  )
})

describe('a message signed by KasWare', () => {
  it.each(['hex', 'base64'] as const)('comes as hex where the wallet writes %s', async (form) => {
    const { wallet, session } = await connected()
    wallet.answers.signature = form
    const { message, signature, publicKeyHex } = await outcome(session.signMessage('Hello Kaspa!'))
    expect({ message, publicKeyHex }).toEqual({ message: 'Hello Kaspa!', publicKeyHex: PUBLIC_KEY })
    expect(signature).toMatch(/^[0-9a-f]{128}$/)
  })

  it('asks for a Schnorr signature, the only kind that we verify', async () => {
    const { wallet, session } = await connected()
    await outcome(session.signMessage('x'))
    expect(wallet.calls.find(({ method }) => method === 'signMessage')?.args).toEqual(['x', { type: 'schnorr' }])
  })

  it('is refused where another account was chosen while the window was open', async () => {
    const { wallet, session } = await connected()
    wallet.prompts.answerWith('wait')
    const signing = begin(session.signMessage('x'))
    await pass(100)
    wallet.selectAccount(1)
    await pass(100)
    wallet.prompts.open[0]?.answer('approve')
    expect(await failure(signing)).toMatchObject({ operation: 'signMessage', code: 'cancelled' })
    expect(session.state.address).toBe(OTHER_ADDRESS)
  })
})

describe('changes in KasWare', () => {
  it('are followed: another account, with its key and balance', async () => {
    const { wallet, session } = await connected()
    wallet.selectAccount(1)
    await pass(100)
    expect(session.state.address).toBe(OTHER_ADDRESS)
    expect(session.state.publicKey).not.toBe(PUBLIC_KEY)
  })

  it('are followed: another network, with the address as it begins there', async () => {
    const { wallet, session } = await connected()
    wallet.answers.accountsLag = 50
    wallet.switchNetwork('testnet-10')
    await pass(500)
    expect(session.state).toMatchObject({ network: 'testnet-10', address: TESTNET_ADDRESS })
  })

  it('are followed: a network that is none of ours keeps its own name', async () => {
    const { wallet, session } = await connected()
    wallet.switchNetwork('testnet-11')
    await pass(100)
    expect(session.state.network).toBe('testnet-11')
  })

  it('lock it, and an unlock is found when the page gets the focus back', async () => {
    const { wallet, session, page } = await connected()
    wallet.lock()
    await pass(100)
    expect(session.state).toMatchObject({ status: 'locked', provider: 'walletA', address: null, balance: null })
    wallet.unlock()
    page.dispatchEvent(new Event('focus'))
    await pass(100)
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('take the site’s permission away', async () => {
    const { wallet, session } = await connected()
    wallet.forgetSite()
    await pass(100)
    expect(session.state).toMatchObject({ status: 'gone', provider: null, address: null, error: null })
  })

  it('are seen at once where it shows no account any more, though the page is hidden and it answers nothing', async () => {
    const { wallet, session, page, platform } = await connected()
    page.become({ visibilityState: 'hidden' })
    platform.visible$.next(false)
    wallet.lock()
    expect(session.state.address).toBeNull()
    await pass(60_000)
    page.become({ visibilityState: 'visible' })
    platform.visible$.next(true)
    await pass()
    expect(session.state.status).toBe('locked')
  })
})

describe('KasWare in a page that nobody sees', () => {
  it('is asked when the page is shown again, and its silence until then is no failure', async () => {
    const scene = createScene({ visibilityState: 'hidden' })
    scene.platform.visible$.next(false)
    const wallet = createFakeWalletA({ page: scene.page })
    wallet.install()
    const session = scene.visit()
    const connecting = begin(session.connect('walletA'))
    await pass(120_000)
    expect([session.state.pending, wallet.prompts.shown]).toEqual(['connect', 0])
    scene.page.become({ visibilityState: 'visible' })
    scene.platform.visible$.next(true)
    await outcome(connecting)
    expect(session.state).toMatchObject({ status: 'connected', error: null })
  })

  it('may say nothing for 10 s that the page is seen, not longer', async () => {
    const scene = createScene()
    const wallet = createFakeWalletA({ page: scene.page })
    wallet.install()
    wallet.loseNext('getAccounts')
    const connecting = begin(scene.visit().connect('walletA'))
    await pass(5_000)
    scene.platform.visible$.next(false)
    await pass(60_000)
    scene.platform.visible$.next(true)
    await pass(5_000)
    expect(await failure(connecting, 2_000)).toMatchObject({ operation: 'connect', code: 'timeout' })
  })

  it('that is locked is not asked to pay, though it would ask for its password', async () => {
    const { wallet, session } = await connected()
    wallet.lock()
    await pass(100)
    expect(await failure(session.sendKaspa(OTHER_ADDRESS, 1n))).toMatchObject({ code: 'locked' })
    await outcome(session.connect('walletA'))
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS })
  })
})

describe('switching KasWare to another network', () => {
  it('uses its spelling, and resolves once it shows an address that begins so', async () => {
    const { wallet, session } = await connected()
    wallet.answers.accountsLag = 300
    await outcome(session.switchNetwork('testnet-10'))
    expect(wallet.calls.find(({ method }) => method === 'switchNetwork')?.args).toEqual(['kaspa_testnet_10'])
    expect(session.state).toMatchObject({ network: 'testnet-10', address: TESTNET_ADDRESS, pending: null })
  })

  it('asks nothing where it is there already', async () => {
    const { wallet, session } = await connected()
    await outcome(session.switchNetwork('mainnet'))
    expect(wallet.calls.map(({ method }) => method)).not.toContain('switchNetwork')
  })

  it('is refused before any window for a network that it cannot be switched to', async () => {
    const { wallet, session } = await connected()
    expect(await failure(session.switchNetwork('simnet'))).toMatchObject({ code: 'unsupported', argument: 'network' })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('comes after connecting where connect() names a network', async () => {
    const scene = createScene()
    const wallet = createFakeWalletA({ page: scene.page })
    wallet.install()
    const session = scene.visit()
    await outcome(session.connect('walletA', 'testnet-10'))
    expect(session.state).toMatchObject({ status: 'connected', network: 'testnet-10' })
    expect(wallet.prompts.shown).toBe(2)
  })
})

describe('taking up KasWare on the next visit', () => {
  it('shows no window, and never believes what it says before it knows the site', async () => {
    const scene = createScene({ readyState: 'loading' })
    scene.platform.storage.set('vue-chain:wallet', 'walletA')
    const wallet = createFakeWalletA({ page: scene.page, ...PERMITTED, checkIn: 140, previousSite: 'http://other' })
    wallet.install()
    const session = scene.visit()
    await pass()
    expect(session.state.status).toBe('disconnected')
    scene.page.become({ readyState: 'complete' })
    await pass()
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS, pending: null, error: null })
    expect(wallet.prompts.shown).toBe(0)
  })

  it('looks again for 2 s where it shows no account at first', async () => {
    const scene = createScene({ readyState: 'loading' })
    scene.platform.storage.set('vue-chain:wallet', 'walletA')
    const wallet = createFakeWalletA({ page: scene.page, ...PERMITTED, checkIn: 1_000 })
    wallet.install()
    const session = scene.visit()
    scene.page.become({ readyState: 'complete' })
    await pass(2_500)
    expect(session.state.status).toBe('connected')
    expect(wallet.prompts.shown).toBe(0)
  })

  it('stays away after disconnect(), which also takes the permission back', async () => {
    const { wallet, session, visit } = await connected()
    await outcome(session.disconnect())
    expect(wallet.state.permissions).toEqual([])
    session.dispose()
    const next = visit()
    await pass(10_000)
    expect(next.state.status).toBe('disconnected')
    expect(wallet.prompts.shown).toBe(1)
  })
})

it('is asked to sign each input of a transaction with sighash type All, unless told otherwise', async () => {
  const { wallet, session } = await connected()
  const txJson = JSON.stringify({ inputs: [{}, {}] })
  await failure(session.signPskt(txJson)) // it is no transaction: what matters is how it was handed over
  await failure(session.signPskt(txJson, { signInputs: [{ index: 1 }] }))
  const asked = wallet.calls.filter(({ method }) => method === 'signPskt').map(({ args }) => args[0])
  const all = { sighashType: 1 }
  expect(asked).toEqual([
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
