import { describe, expect, it } from 'vitest'
import { ChainWalletError } from '../../src/errors/wallet-error.js'
import type { WalletSendOptions } from '../../src/wallets/port.js'
import {
  ADDRESS,
  OTHER_ADDRESS,
  SAFE_TRANSACTION,
  TESTNET_ADDRESS,
  WALLETS,
  begin,
  createScene,
  failure,
  inFakeTime,
  outcome,
  pass,
} from './scene.js'

inFakeTime()

const KINDS = Object.keys(WALLETS) as (keyof typeof WALLETS)[]
const AMOUNT = 50_000_000n

/** Opens a page with a wallet of a kind. */
function open(kind: keyof typeof WALLETS) {
  const scene = createScene()
  const { id, create } = WALLETS[kind]
  const wallet = create({ page: scene.page })
  wallet.install()
  const session = scene.visit()
  const info = { id, name: kind, icon: null, rdns: null }
  const connect = () => session.connect(info)
  return { ...scene, wallet, session, connect }
}

async function connected(kind: keyof typeof WALLETS) {
  const scene = open(kind)
  await outcome(scene.connect())
  return scene
}

describe.each(KINDS)('with %s', (kind) => {
  const operations = [
    ['connect', 'disconnected', ({ connect }: ReturnType<typeof open>) => connect()],
    ['sendKaspa', 'connected', ({ session }: ReturnType<typeof open>) => session.sendKaspa(OTHER_ADDRESS, AMOUNT)],
    ['signMessage', 'connected', ({ session }: ReturnType<typeof open>) => session.signMessage('x')],
    ['signPskt', 'connected', ({ session }: ReturnType<typeof open>) => session.signPskt(SAFE_TRANSACTION)],
    ['switchNetwork', 'connected', ({ session }: ReturnType<typeof open>) => session.switchNetwork('testnet-10')],
  ] as const

  describe.each(operations)('%s', (operation, status, run) => {
    const prepare = () => (operation === 'connect' ? Promise.resolve(open(kind)) : connected(kind))

    it.each(['reject', 'close'] as const)(
      'is rejected where the user answers with %s, and the rest is as it was',
      async (answer) => {
        const scene = await prepare()
        scene.wallet.prompts.answerWith(answer)
        const error = await failure(run(scene))
        expect(error).toBeInstanceOf(ChainWalletError)
        expect(error).toMatchObject({ operation, code: 'rejected', message: `Wallet operation "${operation}" failed` })
        expect(error.cause).toMatchObject({ message: expect.stringMatching(/^User denied|reject/) as string })
        expect(scene.session.state).toMatchObject({ status, pending: null, error })
      },
    )

    it('waits for a user who does not answer, and refuses every further question as busy', async () => {
      const scene = await prepare()
      const shown = scene.wallet.prompts.shown
      scene.wallet.prompts.answerWith('wait')
      const asking = begin<unknown>(run(scene))
      await pass()
      expect(scene.session.state.pending).toBe(operation)
      const other =
        operation === 'connect' ? scene.session.connect('walletA', 'devnet') : scene.session.signMessage('y')
      expect(await failure(other, 0)).toMatchObject({ code: 'busy' })
      expect(scene.wallet.prompts.shown).toBe(shown + 1)
      scene.wallet.prompts.open[0]?.answer('approve')
      await outcome(asking)
      expect(scene.session.state).toMatchObject({ status: 'connected', pending: null, error: null })
    })

    it('is given up by disconnect(), and what the user says afterwards changes nothing', async () => {
      const scene = await prepare()
      scene.wallet.prompts.answerWith('wait')
      const asking = begin<unknown>(run(scene))
      await pass()
      await outcome(scene.session.disconnect())
      const error = await failure(asking)
      expect(error).toMatchObject({ operation, code: operation === 'sendKaspa' ? 'unknown-outcome' : 'cancelled' })
      scene.wallet.prompts.open[0]?.answer('approve')
      await pass()
      expect(scene.session.state).toMatchObject({ status: 'disconnected', address: null, pending: null, error: null })
      expect(scene.wallet.listeners).toBe(0)
    })
  })

  it('a second connect() to it while its window is open is the same', async () => {
    const { session, wallet, connect } = open(kind)
    wallet.prompts.answerWith('wait')
    const both = begin(Promise.all([connect(), connect()]))
    await pass()
    expect(wallet.prompts.shown).toBe(1)
    wallet.prompts.open[0]?.answer('approve')
    await outcome(both)
    expect(session.state).toMatchObject({ status: 'connected', error: null })
  })

  it('connect() right after disconnect() is another question, not the one that was given up', async () => {
    const { session, wallet, connect } = open(kind)
    wallet.prompts.answerWith('wait')
    const first = begin(connect())
    await pass()
    wallet.prompts.open[0]?.answer('close')
    const left = session.disconnect()
    wallet.prompts.answerWith('approve')
    const second = begin(connect())
    expect(await failure(first)).toMatchObject({ operation: 'connect', code: 'cancelled' })
    await outcome(Promise.all([left, second]))
    expect(session.state).toMatchObject({ status: 'connected', error: null })
  })

  it('connecting again to what is connected shows no window', async () => {
    const { session, wallet, connect } = await connected(kind)
    await failure(session.signMessage(''))
    await outcome(connect())
    expect(wallet.prompts.shown).toBe(1)
    expect(session.state).toMatchObject({ status: 'connected', error: null })
  })

  it.each<[string, () => [to: string, amount: bigint, options?: WalletSendOptions], string]>([
    ['nothing', () => [OTHER_ADDRESS, 0n], 'amount'],
    ['less than nothing', () => [OTHER_ADDRESS, -1n], 'amount'],
    ['a number', () => [OTHER_ADDRESS, JSON.parse('100000000') as bigint], 'amount'],
    ['more than a u64 holds', () => [OTHER_ADDRESS, 2n ** 64n], 'amount'],
    ['to another network', () => [TESTNET_ADDRESS, AMOUNT], 'to'],
    ['to an address with a typing error', () => [ADDRESS.replace('qqd6', 'qqd7'), AMOUNT], 'to'],
    ['to no address', () => ['', AMOUNT], 'to'],
    ['a fee below 0', () => [OTHER_ADDRESS, AMOUNT, { priorityFee: -1n }], 'options.priorityFee'],
    ['half a byte', () => [OTHER_ADDRESS, AMOUNT, { payload: 'abc' }], 'options.payload'],
    ['a fee that is a number', () => [OTHER_ADDRESS, AMOUNT, JSON.parse('{"priorityFee":1}')], 'options.priorityFee'],
    ['options that are none', () => [OTHER_ADDRESS, AMOUNT, JSON.parse('null')], 'options'],
    ['hex with 0x', () => [OTHER_ADDRESS, AMOUNT, { payload: '0xab' }], 'options.payload'],
  ])('a payment of %s is refused before the wallet hears of it', async (_, toArguments, argument) => {
    const { session, wallet } = await connected(kind)
    await pass() // a wallet is looked at once more when it is connected
    const before = wallet.calls.length
    const error = await failure(session.sendKaspa(...toArguments()))
    expect(error).toMatchObject({ operation: 'sendKaspa', code: 'invalid-argument', argument })
    expect(error.cause).toBeInstanceOf(Error)
    expect(wallet.calls.slice(before)).toEqual([])
    expect(session.state).toMatchObject({ status: 'connected', pending: null, error })
  })

  it('an empty message is refused before the wallet hears of it', async () => {
    const { session, wallet } = await connected(kind)
    expect(await failure(session.signMessage(''))).toMatchObject({ code: 'invalid-argument', argument: 'message' })
    expect(wallet.prompts.shown).toBe(1)
  })

  it.each([
    ['what is no JSON', 'x', undefined, 'txJson'],
    ['what is no transaction', '[]', undefined, 'txJson'],
    ['a transaction without inputs', '{"inputs":[]}', undefined, 'txJson'],
    ['no input', '{"inputs":[{}]}', [], 'options.signInputs'],
    ['an input twice', '{"inputs":[{}]}', [{ index: 0 }, { index: 0, sighashType: 2 }], 'options.signInputs'],
    ['what is no list', '{"inputs":[{}]}', JSON.parse('{"0":{"index":0}}'), 'options.signInputs'],
    ['what is no input', '{"inputs":[{}]}', [JSON.parse('null')], 'options.signInputs[0]'],
    ['an input that is not there', '{"inputs":[{}]}', [{ index: 1 }], 'options.signInputs[0].index'],
    ['an input in words', '{"inputs":[{}]}', [JSON.parse('{"index":"0"}')], 'options.signInputs[0].index'],
    [
      'a sighash type that is none',
      '{"inputs":[{}]}',
      [{ index: 0, sighashType: 3 }],
      'options.signInputs[0].sighashType',
    ],
  ])('signing %s is refused before the wallet hears of it', async (_, txJson, signInputs, argument) => {
    const { session, wallet } = await connected(kind)
    const error = await failure(session.signPskt(txJson, { signInputs }))
    expect(error).toMatchObject({ operation: 'signPskt', code: 'invalid-argument', argument })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('a payment whose account changes meanwhile still resolves to what went out', async () => {
    const { session, wallet } = await connected(kind)
    wallet.prompts.answerWith('wait')
    const paying = begin(session.sendKaspa(OTHER_ADDRESS, AMOUNT))
    await pass()
    wallet.selectAccount(1)
    await pass()
    wallet.prompts.open[0]?.answer('approve')
    expect(await outcome(paying)).toMatch(/^[0-9a-f]{64}$/)
    expect(session.state.address).not.toBe(ADDRESS)
  })

  it.each([
    ['sendKaspa', ({ session }: ReturnType<typeof open>) => session.sendKaspa(OTHER_ADDRESS, AMOUNT)],
    ['signMessage', ({ session }: ReturnType<typeof open>) => session.signMessage('x')],
    ['signPskt', ({ session }: ReturnType<typeof open>) => session.signPskt('{}')],
    ['switchNetwork', ({ session }: ReturnType<typeof open>) => session.switchNetwork('mainnet')],
  ])('%s without a connection is refused at once', async (operation, run) => {
    expect(await failure(run(open(kind)), 0)).toMatchObject({ operation, code: 'not-connected' })
  })

  it('a connect() that fails leaves an earlier wallet in use', async () => {
    const { session, wallet, page, connect } = await connected(kind)
    const other = kind === 'walletA' ? 'walletB' : 'walletA'
    const second = WALLETS[other].create({ page, prompts: 'reject' })
    second.install()
    await pass()
    await failure(session.connect(other))
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS, error: { code: 'rejected' } })
    expect(session.state.wallet?.id).toBe(WALLETS[kind].id)
    await outcome(connect())
    expect(wallet.prompts.shown).toBe(1)
  })

  it('its listeners are all taken back, cycle after cycle', async () => {
    const { session, wallet, connect } = open(kind)
    for (let cycle = 0; cycle < 5; cycle++) {
      await outcome(connect())
      expect(wallet.listeners).toBeGreaterThan(0)
      await outcome(session.disconnect())
      expect(wallet.listeners).toBe(0)
    }
    await outcome(connect())
    session.dispose()
    expect(wallet.listeners).toBe(0)
  })

  it('no bigint ever reaches it', async () => {
    const { session, wallet } = await connected(kind)
    await outcome(session.sendKaspa(OTHER_ADDRESS, AMOUNT, { priorityFee: 1n, payload: '00' }))
    await outcome(session.signMessage('1n'))
    await outcome(session.switchNetwork('testnet-10'))
    await outcome(session.disconnect())
    expect(wallet.bigints).toEqual([])
  })

  it('a storage that throws is no failure', async () => {
    const { session, connect, platform } = open(kind)
    const refuse = () => {
      throw new DOMException('Blocked', 'SecurityError')
    }
    Object.assign(platform.storage, { get: refuse, set: refuse, remove: refuse })
    await outcome(connect())
    await outcome(session.disconnect())
    expect(session.state).toMatchObject({ status: 'disconnected', error: null })
  })

  it('the next visit takes it up without a window', async () => {
    const { session, wallet, visit } = await connected(kind)
    session.dispose()
    const next = visit()
    await pass(3_000)
    expect(next.state).toMatchObject({ status: 'connected', address: ADDRESS, error: null, pending: null })
    expect(wallet.prompts.shown).toBe(1)
  })
})

it('two wallets are never in use at once: the one that answered last is', async () => {
  const { session, wallet, page } = await connected('walletA')
  const second = WALLETS.walletB.create({ page })
  second.install()
  await pass()
  await outcome(session.connect('walletB'))
  expect(session.state).toMatchObject({ provider: 'walletB', balance: null })
  expect(wallet.listeners).toBe(0)
  wallet.selectAccount(1)
  await pass()
  expect(session.state.address).toBe(ADDRESS)
})
