import { describe, expect, it, vi } from 'vitest'
import { schnorr } from '@noble/curves/secp256k1.js'
import { blake2bKeyed } from '../../../src/model/hashing.js'
import { fromHex } from '../../../src/model/hex.js'
import { createFakeWalletA, type FakeWalletAOptions } from '../../../src/testing/wallets/wallet-a/fake.js'
import { createTestPage } from '../../../src/testing/wallets/test-page.js'
import { expectedOf, outcomeOf, recordedCalls } from './recording.js'

const SITE = 'http://localhost'
const PERMITTED = { permissions: [SITE] }
const ADDRESS = 'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh'
const REJECTED = { code: 4001, message: 'User rejected the request.' }
/** The recorded build is older than the one that the fake stands for. */
const OLDER = ['getVersion']

const create = (options: FakeWalletAOptions = {}) => createFakeWalletA({ checkIn: 0, latency: 0, ...options })

describe('the fake KasWare answers as the real one was heard to', () => {
  const states = [
    { step: 'no wallet created', state: { status: 'empty' } },
    { step: 'unlocked, not permitted', state: {} },
    { step: 'unlocked, permitted', state: PERMITTED },
    { step: 'locked, permitted', state: { ...PERMITTED, status: 'locked' } },
    { step: 'after disconnect', state: {} },
    { step: 'switchNetwork with other names', state: { ...PERMITTED, network: 'devnet' } },
    { step: 'switchNetwork to the network already selected', state: { ...PERMITTED, network: 'devnet' } },
  ] as const
  const { provider } = create()
  const cases = states.flatMap(({ step, state }) =>
    recordedCalls('walletA', [step])
      .filter(({ method }) => method in provider && !OLDER.includes(method))
      .map((call) => ({ ...call, state })),
  )

  it.each(cases)('$step: $method($args)', async ({ state, ...call }) => {
    const outcome = await outcomeOf(create({ state }).provider, call)
    expect(withoutStack(outcome)).toEqual(withoutStack(expectedOf(call)))
  })

  it('was asked enough', () => expect(cases.length).toBeGreaterThan(30))
})

describe('a permission', () => {
  it('is asked for once, and opens no window the second time', async () => {
    const wallet = create()
    expect(await wallet.provider.requestAccounts()).toEqual([ADDRESS])
    expect(await wallet.provider.requestAccounts()).toEqual([ADDRESS])
    expect(wallet.prompts.shown).toBe(1)
  })

  it('is refused with a plain object', async () => {
    const wallet = create({ prompts: 'reject' })
    await expect(wallet.provider.requestAccounts()).rejects.toStrictEqual(REJECTED)
    expect(wallet.state.permissions).toEqual([])
  })

  it('tells nothing on the first connect, and the address after a disconnect', async () => {
    const { provider } = create()
    const told = listen(provider)
    await provider.requestAccounts()
    await provider.disconnect(SITE)
    await provider.requestAccounts()
    expect(told).toEqual([
      ['accountsChanged', []],
      ['accountsChanged', [ADDRESS]],
    ])
  })

  it('approved before the page has checked in is approved for nobody', async () => {
    const wallet = create({ checkIn: 60_000 })
    await expect(wallet.provider.requestAccounts()).rejects.toMatchObject({ code: 4100 })
    expect(wallet.state.permissions).toEqual([])
  })
})

it('shows a page that has not checked in what the site before it may see', async () => {
  const { provider } = create({
    checkIn: 60_000,
    previousSite: 'https://elsewhere.example',
    state: { permissions: ['https://elsewhere.example'] },
  })
  expect(await provider.getAccounts()).toEqual([ADDRESS])
})

describe('a lock', () => {
  it('is told as an empty list, and the unlocking is not told at all', () => {
    const wallet = create({ state: PERMITTED })
    const told = listen(wallet.provider)
    wallet.lock()
    wallet.unlock()
    expect(told).toEqual([['accountsChanged', []]])
  })

  it('opens a window for the password, and after it no other', async () => {
    const wallet = create({ state: { ...PERMITTED, status: 'locked' } })
    expect(await wallet.provider.requestAccounts()).toEqual([ADDRESS])
    expect([wallet.prompts.shown, wallet.state.status]).toEqual([1, 'unlocked'])
  })
})

describe('a change of network', () => {
  it('is told before the address that begins otherwise', async () => {
    const { provider } = create({ state: PERMITTED })
    const told = listen(provider)
    expect(await provider.switchNetwork('kaspa_testnet_10')).toBe('kaspa_testnet_10')
    expect(told).toEqual([
      ['networkChanged', 'kaspa_testnet_10'],
      ['accountsChanged', ['kaspatest:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9ssxd5s7gn']],
    ])
  })

  it('is not asked for between networks of one type', async () => {
    const wallet = create({ state: { ...PERMITTED, network: 'testnet-10' } })
    await wallet.provider.switchNetwork('kaspa_testnet_12')
    expect(wallet.prompts.shown).toBe(0)
  })
})

describe('two windows at once', () => {
  it('leave the first call without an answer for ever', async () => {
    const wallet = create({ state: PERMITTED, prompts: 'wait' })
    const settled = vi.fn()
    void wallet.provider.signMessage('a').finally(settled)
    await expect.poll(() => wallet.prompts.open).toHaveLength(1)
    const second = wallet.provider.signMessage('b')
    await expect.poll(() => wallet.prompts.open.map(({ detail }) => detail)).toEqual(['b'])
    wallet.prompts.open[0]!.answer('close')
    await expect(second).rejects.toStrictEqual(REJECTED)
    expect(settled).not.toHaveBeenCalled()
  })
})

describe('what it is sent', () => {
  it('must be sayable in JSON: a bigint is refused by the page, and written down', async () => {
    const wallet = create({ state: PERMITTED })
    await expect(wallet.provider.sendKaspa(ADDRESS, 5n, { priorityFee: 0 })).rejects.toThrow(
      'Do not know how to serialize a BigInt',
    )
    expect(wallet.bigints).toEqual(['sendKaspa[1]'])
  })

  it('waits while the page is hidden', async () => {
    const page = createTestPage({ visibilityState: 'hidden' })
    const { provider } = create({ page })
    const answered = vi.fn()
    void provider.getVersion().then(answered)
    await new Promise(setImmediate)
    expect(answered).not.toHaveBeenCalled()
    page.become({ visibilityState: 'visible' })
    await expect.poll(() => answered).toHaveBeenCalledWith('0.13.5')
  })

  it('is 500 calls at a time and no more', async () => {
    const { provider } = create()
    const outcomes = await Promise.allSettled(Array.from({ length: 520 }, () => provider.getVersion()))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(20)
  })
})

describe('what it signs', () => {
  const verify = (signature: string): boolean =>
    schnorr.verify(
      fromHex(signature),
      blake2bKeyed('PersonalMessageSigningHash', new TextEncoder().encode('Hello Kaspa!')),
      fromHex('1bacea84ca721c95d67ecace19bc499a77c03726bc8739af637bcd89abaaf058'),
    )

  it('is a signature of the message, in hex or in base64', async () => {
    const wallet = create({ state: PERMITTED })
    expect(verify(String(await wallet.provider.signMessage('Hello Kaspa!')))).toBe(true)
    wallet.answers.signature = 'base64'
    const base64 = String(await wallet.provider.signMessage('Hello Kaspa!'))
    expect(verify(Buffer.from(base64, 'base64').toString('hex'))).toBe(true)
  })
})

it('answers a payment with an id, a text of JSON, or an object', async () => {
  const wallet = create({ state: PERMITTED })
  const send = () => wallet.provider.sendKaspa(ADDRESS, 20_000_000, { priorityFee: 0 })
  expect(await send()).toMatch(/^[0-9a-f]{64}$/)
  wallet.answers.send = 'json'
  expect(JSON.parse(String(await send()))).toMatchObject({ outputs: [{ value: '20000000' }, {}] })
  wallet.answers.send = 'object'
  expect(await send()).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

it('counts the listeners that are left', () => {
  const wallet = create()
  const listener = (): void => undefined
  wallet.provider.on('accountsChanged', listener)
  expect(wallet.listeners).toBe(1)
  wallet.provider.removeListener('accountsChanged', listener)
  expect(wallet.listeners).toBe(0)
})

describe('the faults of a test', () => {
  it('fail, lose and hold single calls', async () => {
    const wallet = create({ state: PERMITTED })
    wallet.failNext('getBalance', { code: -32603, message: 'no node' })
    await expect(wallet.provider.getBalance()).rejects.toEqual({ code: -32603, message: 'no node' })
    const release = wallet.holdNext('getBalance')
    const held = wallet.provider.getBalance()
    release()
    expect(await held).toEqual({ confirmed: 120_000_000_000, unconfirmed: 0, total: 120_000_000_000 })
  })
})

describe('the provider', () => {
  it('sits in the page so that nobody can take it away, and is announced once', () => {
    const page = createTestPage()
    const announced = vi.fn()
    page.addEventListener('kasware#initialized', announced)
    const wallet = create({ page })
    wallet.install()
    expect(announced).toHaveBeenCalledOnce()
    expect(() => Object.assign(page, { kasware: null })).toThrow(TypeError)
    expect(Reflect.get(page, 'kasware')).toBe(wallet.provider)
  })
})

function listen(provider: ReturnType<typeof create>['provider']): unknown[] {
  const told: unknown[] = []
  for (const event of ['accountsChanged', 'networkChanged']) {
    provider.on(event, (payload: unknown) => void told.push([event, payload]))
  }
  return told
}

/** The stack that a wallet sends along names its own files. */
const withoutStack = (outcome: unknown): unknown =>
  JSON.parse(JSON.stringify(outcome, (key, value: unknown) => (key === 'stack' ? undefined : value)))
