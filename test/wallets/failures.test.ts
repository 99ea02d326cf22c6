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
  createHarness,
  failure,
  useFakeTime,
  outcome,
  advance,
} from './harness.js'

useFakeTime()

const KINDS = Object.keys(WALLETS) as (keyof typeof WALLETS)[]
const AMOUNT = 50_000_000n

/** Opens a session in a page with one wallet. */
function open(kind: keyof typeof WALLETS) {
  const harness = createHarness()
  const { id, create } = WALLETS[kind]
  const wallet = create({ page: harness.page })
  wallet.install()
  const session = harness.openSession()
  const info = { id, name: kind, icon: null, rdns: null }
  const connect = () => session.connect(info)
  return { ...harness, wallet, session, connect }
}

async function openConnected(kind: keyof typeof WALLETS) {
  const harness = open(kind)
  await outcome(harness.connect())
  return harness
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
    const prepare = () => (operation === 'connect' ? Promise.resolve(open(kind)) : openConnected(kind))

    it.each(['reject', 'close'] as const)(
      'is rejected if the user responds with %s, and leaves the remaining state unchanged',
      async (response) => {
        const harness = await prepare()
        harness.wallet.prompts.respondWith(response)
        const error = await failure(run(harness))
        expect(error).toBeInstanceOf(ChainWalletError)
        expect(error).toMatchObject({ operation, code: 'rejected', message: `Wallet operation "${operation}" failed` })
        expect(error.cause).toMatchObject({ message: expect.stringMatching(/^User denied|reject/) as string })
        expect(error.outcome).toBe(operation === 'sendKaspa' ? 'unsent' : undefined)
        expect(harness.session.state).toMatchObject({ status, pending: null, error })
      },
    )

    it('stays pending without a response, and rejects further prompts as busy', async () => {
      const harness = await prepare()
      const shown = harness.wallet.prompts.shown
      harness.wallet.prompts.respondWith('wait')
      const operating = begin<unknown>(run(harness))
      await advance()
      expect(harness.session.state.pending).toBe(operation)
      const other =
        operation === 'connect' ? harness.session.connect('walletA', 'devnet') : harness.session.signMessage('y')
      expect(await failure(other, 0)).toMatchObject({ code: 'busy' })
      expect(harness.wallet.prompts.shown).toBe(shown + 1)
      harness.wallet.prompts.open[0]?.respond('approve')
      await outcome(operating)
      expect(harness.session.state).toMatchObject({ status: 'connected', pending: null, error: null })
    })

    it('is aborted by disconnect(), and ignores a later response', async () => {
      const harness = await prepare()
      harness.wallet.prompts.respondWith('wait')
      const operating = begin<unknown>(run(harness))
      await advance()
      await outcome(harness.session.disconnect())
      const error = await failure(operating)
      expect(error).toMatchObject({ operation, code: operation === 'sendKaspa' ? 'unknown-outcome' : 'aborted' })
      expect(error.outcome).toBe(operation === 'sendKaspa' ? 'unknown' : undefined)
      harness.wallet.prompts.open[0]?.respond('approve')
      await advance()
      expect(harness.session.state).toMatchObject({ status: 'disconnected', address: null, pending: null, error: null })
      expect(harness.wallet.listeners).toBe(0)
    })
  })

  it('shares one prompt between two connect() calls', async () => {
    const { session, wallet, connect } = open(kind)
    wallet.prompts.respondWith('wait')
    const both = begin(Promise.all([connect(), connect()]))
    await advance()
    expect(wallet.prompts.shown).toBe(1)
    wallet.prompts.open[0]?.respond('approve')
    await outcome(both)
    expect(session.state).toMatchObject({ status: 'connected', error: null })
  })

  it('opens a new prompt for a connect() after disconnect()', async () => {
    const { session, wallet, connect } = open(kind)
    wallet.prompts.respondWith('wait')
    const first = begin(connect())
    await advance()
    wallet.prompts.open[0]?.respond('close')
    const disconnecting = session.disconnect()
    wallet.prompts.respondWith('approve')
    const second = begin(connect())
    expect(await failure(first)).toMatchObject({ operation: 'connect', code: 'aborted' })
    await outcome(Promise.all([disconnecting, second]))
    expect(session.state).toMatchObject({ status: 'connected', error: null })
  })

  it('shows no prompt when already connected', async () => {
    const { session, wallet, connect } = await openConnected(kind)
    await failure(session.signMessage(''))
    await outcome(connect())
    expect(wallet.prompts.shown).toBe(1)
    expect(session.state).toMatchObject({ status: 'connected', error: null })
  })

  it.each<[string, () => [to: string, amount: bigint, options?: WalletSendOptions], string]>([
    ['an amount of 0', () => [OTHER_ADDRESS, 0n], 'amount'],
    ['a negative amount', () => [OTHER_ADDRESS, -1n], 'amount'],
    ['an amount of type number', () => [OTHER_ADDRESS, JSON.parse('100000000') as bigint], 'amount'],
    ['an amount above u64', () => [OTHER_ADDRESS, 2n ** 64n], 'amount'],
    ['an address of another network', () => [TESTNET_ADDRESS, AMOUNT], 'to'],
    ['an address with a wrong checksum', () => [ADDRESS.replace('qqd6', 'qqd7'), AMOUNT], 'to'],
    ['an empty address', () => ['', AMOUNT], 'to'],
    ['a negative fee', () => [OTHER_ADDRESS, AMOUNT, { priorityFee: -1n }], 'options.priorityFee'],
    [
      'a payload with an odd number of hex digits',
      () => [OTHER_ADDRESS, AMOUNT, { payload: 'abc' }],
      'options.payload',
    ],
    ['a fee of type number', () => [OTHER_ADDRESS, AMOUNT, JSON.parse('{"priorityFee":1}')], 'options.priorityFee'],
    ['null as options', () => [OTHER_ADDRESS, AMOUNT, JSON.parse('null')], 'options'],
    ['a payload with 0x', () => [OTHER_ADDRESS, AMOUNT, { payload: '0xab' }], 'options.payload'],
  ])('rejects a payment with %s before the wallet is called', async (_, toArguments, argument) => {
    const { session, wallet } = await openConnected(kind)
    await advance() // the wallet is refreshed once more after connecting
    const before = wallet.calls.length
    const error = await failure(session.sendKaspa(...toArguments()))
    expect(error).toMatchObject({ operation: 'sendKaspa', code: 'invalid-argument', argument, outcome: 'unsent' })
    expect(error.cause).toBeInstanceOf(Error)
    expect(wallet.calls.slice(before)).toEqual([])
    expect(session.state).toMatchObject({ status: 'connected', pending: null, error })
  })

  it('rejects an empty message before the wallet is called', async () => {
    const { session, wallet } = await openConnected(kind)
    expect(await failure(session.signMessage(''))).toMatchObject({ code: 'invalid-argument', argument: 'message' })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('signs no transaction of version 1, as calls of contracts are, and opens no dialog', async () => {
    const { session, wallet } = await openConnected(kind)
    const call = JSON.stringify({ ...(JSON.parse(SAFE_TRANSACTION) as object), version: 1 })
    const error = await failure(session.signPskt(call))
    expect(error).toMatchObject({ operation: 'signPskt', code: 'unsupported', argument: 'txJson' })
    expect(wallet.prompts.shown).toBe(1) // of the connection
  })

  it.each([
    ['invalid JSON', 'x', undefined, 'txJson'],
    ['JSON that is no transaction', '[]', undefined, 'txJson'],
    ['a transaction without inputs', '{"inputs":[]}', undefined, 'txJson'],
    ['an empty list of inputs', '{"inputs":[{}]}', [], 'options.signInputs'],
    ['a duplicate input', '{"inputs":[{}]}', [{ index: 0 }, { index: 0, sighashType: 2 }], 'options.signInputs'],
    ['inputs that are no list', '{"inputs":[{}]}', JSON.parse('{"0":{"index":0}}'), 'options.signInputs'],
    ['null as an input', '{"inputs":[{}]}', [JSON.parse('null')], 'options.signInputs[0]'],
    ['an input index out of range', '{"inputs":[{}]}', [{ index: 1 }], 'options.signInputs[0].index'],
    ['an input index of type string', '{"inputs":[{}]}', [JSON.parse('{"index":"0"}')], 'options.signInputs[0].index'],
    ['an invalid sighash type', '{"inputs":[{}]}', [{ index: 0, sighashType: 3 }], 'options.signInputs[0].sighashType'],
  ])('rejects signing %s before the wallet is called', async (_, txJson, signInputs, argument) => {
    const { session, wallet } = await openConnected(kind)
    const error = await failure(session.signPskt(txJson, { signInputs }))
    expect(error).toMatchObject({ operation: 'signPskt', code: 'invalid-argument', argument })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('resolves a payment to its id although the account changes meanwhile', async () => {
    const { session, wallet } = await openConnected(kind)
    wallet.prompts.respondWith('wait')
    const paying = begin(session.sendKaspa(OTHER_ADDRESS, AMOUNT))
    await advance()
    wallet.selectAccount(1)
    await advance()
    wallet.prompts.open[0]?.respond('approve')
    expect(await outcome(paying)).toMatch(/^[0-9a-f]{64}$/)
    expect(session.state.address).not.toBe(ADDRESS)
  })

  it.each([
    ['sendKaspa', ({ session }: ReturnType<typeof open>) => session.sendKaspa(OTHER_ADDRESS, AMOUNT)],
    ['signMessage', ({ session }: ReturnType<typeof open>) => session.signMessage('x')],
    ['signPskt', ({ session }: ReturnType<typeof open>) => session.signPskt('{}')],
    ['switchNetwork', ({ session }: ReturnType<typeof open>) => session.switchNetwork('mainnet')],
  ])('rejects %s at once without a connection', async (operation, run) => {
    expect(await failure(run(open(kind)), 0)).toMatchObject({ operation, code: 'not-connected' })
  })

  it('keeps the earlier wallet after a failed connect()', async () => {
    const { session, wallet, page, connect } = await openConnected(kind)
    const other = kind === 'walletA' ? 'walletB' : 'walletA'
    const second = WALLETS[other].create({ page, prompts: 'reject' })
    second.install()
    await advance()
    await failure(session.connect(other))
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS, error: { code: 'rejected' } })
    expect(session.state.wallet?.id).toBe(WALLETS[kind].id)
    await outcome(connect())
    expect(wallet.prompts.shown).toBe(1)
  })

  it('removes its listeners on every disconnect and dispose', async () => {
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

  it('receives no bigint', async () => {
    const { session, wallet } = await openConnected(kind)
    await outcome(session.sendKaspa(OTHER_ADDRESS, AMOUNT, { priorityFee: 1n, payload: '00' }))
    await outcome(session.signMessage('1n'))
    await outcome(session.switchNetwork('testnet-10'))
    await outcome(session.disconnect())
    expect(wallet.bigints).toEqual([])
  })

  it('tolerates a storage that throws', async () => {
    const { session, connect, platform } = open(kind)
    const throwBlocked = () => {
      throw new DOMException('Blocked', 'SecurityError')
    }
    Object.assign(platform.storage, { get: throwBlocked, set: throwBlocked, remove: throwBlocked })
    await outcome(connect())
    await outcome(session.disconnect())
    expect(session.state).toMatchObject({ status: 'disconnected', error: null })
  })

  it('is restored on the next visit without a prompt', async () => {
    const { session, wallet, openSession } = await openConnected(kind)
    session.dispose()
    const next = openSession()
    await advance(3_000)
    expect(next.state).toMatchObject({ status: 'connected', address: ADDRESS, error: null, pending: null })
    expect(wallet.prompts.shown).toBe(1)
  })
})

it('disconnects the first wallet when a second one connects', async () => {
  const { session, wallet, page } = await openConnected('walletA')
  const second = WALLETS.walletB.create({ page })
  second.install()
  await advance()
  await outcome(session.connect('walletB'))
  expect(session.state).toMatchObject({ provider: 'walletB', balance: null })
  expect(wallet.listeners).toBe(0)
  wallet.selectAccount(1)
  await advance()
  expect(session.state.address).toBe(ADDRESS)
})
