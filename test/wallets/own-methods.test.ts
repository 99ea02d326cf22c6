import { describe, expect, it } from 'vitest'
import {
  ADDRESS,
  OTHER_ADDRESS,
  TESTNET_ADDRESS,
  WALLETS,
  advance,
  begin,
  createHarness,
  failure,
  outcome,
  useFakeTime,
} from './harness.js'

useFakeTime()

type Kind = keyof typeof WALLETS
const KINDS = Object.keys(WALLETS) as Kind[]
const KAS = 100_000_000n
const OUTPUTS = [
  { address: OTHER_ADDRESS, amount: KAS },
  { address: ADDRESS, amount: 2n * KAS },
]

async function createConnected<K extends Kind>(kind: K) {
  const { page, openSession } = createHarness()
  const wallet = WALLETS[kind].create({ page }) as ReturnType<(typeof WALLETS)[K]['create']>
  wallet.install()
  const session = openSession()
  await outcome(session.connect({ id: WALLETS[kind].id, name: kind, icon: null, rdns: null }))
  const own = wallet.provider as unknown as Record<string, unknown>
  return { page, wallet, session, own }
}

describe('a payment to several recipients', () => {
  it('is one transaction with decimal amounts through Kastle', async () => {
    const { wallet, session } = await createConnected('walletB')
    expect(session.state.canSendMany).toBe(true)
    expect(await outcome(session.sendMany(OUTPUTS, { payload: 'C0FFEE' }))).toMatch(/^[0-9a-f]{64}$/)
    const built = wallet.calls.find(({ method }) => method === 'buildTransaction')
    expect(built?.args).toEqual([
      [
        { address: OTHER_ADDRESS, amount: '100000000' },
        { address: ADDRESS, amount: '200000000' },
      ],
      { priorityFee: '0', payload: 'c0ffee' },
    ])
    const signed = wallet.calls.find(({ method }) => method === 'signAndBroadcastTx')
    const { outputs } = JSON.parse(String(signed?.args[1])) as { outputs: { value: string }[] }
    expect(outputs.map(({ value }) => value).slice(0, 2)).toEqual(['100000000', '200000000'])
    expect(wallet.bigints).toEqual([])
  })

  it('is one request to an announced wallet', async () => {
    const { wallet, session } = await createConnected('announced')
    await outcome(session.sendMany(OUTPUTS))
    const sent = wallet.calls.find(({ method }) => method === 'kaspa_sendTransaction')
    expect(sent?.args).toMatchObject([[{ from: ADDRESS, outputs: [{ amount: '100000000' }, { amount: '200000000' }] }]])
  })

  it('is refused before any window by a wallet that pays one recipient at a time', async () => {
    const { wallet, session } = await createConnected('walletA')
    expect(session.state.canSendMany).toBe(false)
    const error = await failure(session.sendMany(OUTPUTS))
    expect(error).toMatchObject({ operation: 'sendMany', code: 'unsupported', outcome: 'unsent' })
    expect(error.hint).toContain('canSendMany')
    expect(wallet.prompts.shown).toBe(1)
  })

  it.each<[string, unknown, string]>([
    ['no output', [], 'outputs'],
    ['no list', { address: ADDRESS, amount: KAS }, 'outputs'],
    ['null as an output', [null], 'outputs[0]'],
    ['an address of another network', [OUTPUTS[0], { address: TESTNET_ADDRESS, amount: KAS }], 'outputs[1].address'],
    ['an amount of 0', [OUTPUTS[0], { address: ADDRESS, amount: 0n }], 'outputs[1].amount'],
    ['an amount of type number', [{ address: ADDRESS, amount: 5 }], 'outputs[0].amount'],
    ['an amount below the wallet’s minimum', [OUTPUTS[0], { address: ADDRESS, amount: 1n }], 'outputs[1].amount'],
  ])('is refused with %s before any window', async (_, outputs, argument) => {
    const { wallet, session } = await createConnected('walletB')
    const error = await failure(session.sendMany(outputs as typeof OUTPUTS))
    expect(error).toMatchObject({ operation: 'sendMany', code: 'invalid-argument', argument })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('has an unknown outcome where nothing proves that it was not sent', async () => {
    const { wallet, session } = await createConnected('walletB')
    wallet.failNext('kas:sign_and_broadcast_tx', new Error('Unknown error'))
    expect(await failure(session.sendMany(OUTPUTS))).toMatchObject({ operation: 'sendMany', code: 'unknown-outcome' })
  })
})

describe('request()', () => {
  it('calls a method of KasWare with a list of params as its arguments', async () => {
    const { session, own } = await createConnected('walletA')
    own.getKRC20Balance = (...args: unknown[]) => Promise.resolve(args)
    expect(await outcome(session.request('getKRC20Balance', ['a', { b: 1 }]))).toEqual(['a', { b: 1 }])
    expect(await outcome(session.request('getKRC20Balance', 'a'))).toEqual(['a'])
    expect(await outcome(session.request('getKRC20Balance'))).toEqual([])
  })

  it('calls methods of Kastle, and its generic ones by name', async () => {
    const { session } = await createConnected('walletB')
    expect(await outcome(session.request('getVersion'))).toBe('2.59.0+extension')
    expect(await outcome(session.request('kas:get_utxo_entries'))).toEqual({ entries: [] })
    expect(await failure(session.request('kas:unknown'))).toMatchObject({ operation: 'request', code: 'unsupported' })
  })

  it('passes method and params to an announced wallet', async () => {
    const { wallet, session } = await createConnected('announced')
    expect(await outcome(session.request('wallet_getPermissions', { x: 1 }))).toEqual(['kaspa_accounts'])
    expect(wallet.calls.at(-1)).toMatchObject({ method: 'wallet_getPermissions', args: [{ x: 1 }] })
    expect(await failure(session.request('kaspa_sendPskb', {}))).toMatchObject({ code: 'unsupported' })
  })

  it.each<[Kind, string, string]>([
    ['walletA', 'sendKaspa', '`sendKaspa`'],
    ['walletA', 'requestAccounts', '`connect`'],
    ['walletB', 'signTx', '`signPskt`'],
    ['walletB', 'kas:send_sompi', '`sendKaspa`'],
    ['announced', 'kaspa_sendTransaction', '`sendMany`'],
  ])('is refused by %s for %s, which this library offers', async (kind, method, own) => {
    const { wallet, session } = await createConnected(kind)
    await advance()
    const before = wallet.calls.length
    const error = await failure(session.request(method, []))
    expect(error).toMatchObject({ operation: 'request', code: 'invalid-argument', argument: 'method' })
    expect(error.hint).toContain(own)
    expect(wallet.calls.slice(before)).toEqual([])
  })

  it.each(['', 'on', 'removeListener', '_request', 'constructor', 'toString', '__proto__', 'request'])(
    'is refused for "%s", which is no operation of a wallet',
    async (method) => {
      const { session } = await createConnected('walletA')
      expect(await failure(session.request(method))).toMatchObject({ code: 'invalid-argument', argument: 'method' })
    },
  )

  it.each(KINDS)('is refused by %s for a bigint, to which Kastle never responds', async (kind) => {
    const { session } = await createConnected(kind)
    const error = await failure(session.request('compoundUtxos', [{ priorityFee: 1n }]))
    expect(error).toMatchObject({ code: 'invalid-argument', argument: 'params' })
  })

  it('is unsupported for a method that the wallet lacks, without the advice to update it', async () => {
    const { session } = await createConnected('walletA')
    const error = await failure(session.request('compoundUtxos', [{}]))
    expect(error).toMatchObject({ operation: 'request', code: 'unsupported' })
    expect(error.hint).not.toContain('Update the wallet')
  })

  it('follows the rule of one prompt, and has an unknown outcome when it is aborted', async () => {
    const { session, own } = await createConnected('walletA')
    own.submitCommit = () => new Promise(() => undefined)
    const requesting = begin(session.request('submitCommit', [{}]))
    await advance(100)
    expect(session.state.pending).toBe('request')
    expect(await failure(session.sendKaspa(OTHER_ADDRESS, KAS))).toMatchObject({ code: 'busy' })
    session.abort()
    expect(await failure(requesting)).toMatchObject({ operation: 'request', code: 'unknown-outcome' })
  })

  it('has an unknown outcome for an error that proves nothing', async () => {
    const { session, own } = await createConnected('walletA')
    own.submitCommit = () => Promise.reject(new Error('x'))
    expect(await failure(session.request('submitCommit'))).toMatchObject({ code: 'unknown-outcome' })
  })
})

it('offers the method that compounds where too many UTXOs would be spent', async () => {
  const { wallet, session, own } = await createConnected('walletB')
  own.compoundUtxos = () => Promise.resolve('ab'.repeat(32))
  wallet.behavior.transactions = 3
  expect((await failure(session.sendKaspa(OTHER_ADDRESS, KAS))).hint).toContain("request('compoundUtxos', [{}])")
  expect(await outcome(session.request('compoundUtxos', [{}]))).toBe('ab'.repeat(32))
})

describe('a wallet that announces itself by EIP-6963 only', () => {
  const announceEthereum = (page: EventTarget) =>
    page.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', {
        detail: {
          info: { uuid: 'x', name: 'Ethereum Wallet', icon: 'data:image/png,', rdns: 'org.ethereum.wallet' },
          provider: { request: () => Promise.resolve([]) },
        },
      }),
    )

  it('is found, connects and pays, beside Ethereum’s wallets', async () => {
    const { page, openSession } = createHarness()
    const wallet = WALLETS.walletA.create({ page, announcement: {} })
    wallet.install()
    wallet.behavior.balance = 'total only'
    wallet.setBalance(70n, 3n)
    const session = openSession()
    announceEthereum(page)
    await advance()
    const info = { name: 'Kasperia Wallet', rdns: 'io.kasperia.wallet' }
    expect(session.state).toMatchObject({ installed: [], discovered: [info] })
    await outcome(session.connect(session.state.discovered[0]!))
    expect(session.state).toMatchObject({ status: 'connected', address: ADDRESS, balance: null, reportedBalance: 73n })
    expect(await outcome(session.sendKaspa(OTHER_ADDRESS, KAS))).toMatch(/^[0-9a-f]{64}$/)
  })

  it('has the sum of the parts as its balance', async () => {
    const { page, openSession } = createHarness()
    const wallet = WALLETS.walletA.create({ page })
    wallet.install()
    wallet.behavior.balance = 'without total'
    wallet.setBalance(70n, 3n)
    const session = openSession()
    await outcome(session.connect('walletA'))
    expect(session.state.balance).toEqual({ confirmed: 70n, unconfirmed: 3n, total: 73n })
  })
})

it('does not list the shim of another wallet’s page as KasWare', async () => {
  const { page, openSession } = createHarness()
  Object.assign(page, {
    kasware: { isKcc20Shim: true, requestAccounts: () => [ADDRESS], getAccounts: () => [ADDRESS] },
  })
  const session = openSession()
  await advance(6_000)
  expect(session.state.installed).toEqual([])
  expect(await failure(session.connect('walletA'))).toMatchObject({ code: 'not-installed' })
})
