import { describe, expect, it, vi } from 'vitest'
import { schnorr } from '@noble/curves/secp256k1.js'
import { blake2bKeyed } from '../../../src/model/hashing.js'
import { fromHex } from '../../../src/model/hex.js'
import { createFakeWalletA, type FakeWalletAOptions } from '../../../src/testing/wallets/wallet-a/fake.js'
import { createTestPage } from '../../../src/testing/wallets/page.js'
import { expectedOf, outcomeOf, recordedCalls } from './recording.js'

const ORIGIN = 'http://localhost'
const PERMITTED = { permissions: [ORIGIN] }
const ADDRESS = 'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh'
const REJECTED = { code: 4001, message: 'User rejected the request.' }
/** Methods whose recorded results are of an older build than the fake's. */
const OUTDATED = ['getVersion']

const create = (options: FakeWalletAOptions = {}) => createFakeWalletA({ checkIn: 0, latency: 0, ...options })

describe('the fake KasWare responds like the recorded one', () => {
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
      .filter(({ method }) => method in provider && !OUTDATED.includes(method))
      .map((call) => ({ ...call, state })),
  )

  it.each(cases)('$step: $method($args)', async ({ state, ...call }) => {
    const outcome = await outcomeOf(create({ state }).provider, call)
    expect(withoutStack(outcome)).toEqual(withoutStack(expectedOf(call)))
  })

  it('covers enough recorded calls', () => expect(cases.length).toBeGreaterThan(30))
})

describe('a permission', () => {
  it('is requested once, without a second prompt', async () => {
    const wallet = create()
    expect(await wallet.provider.requestAccounts()).toEqual([ADDRESS])
    expect(await wallet.provider.requestAccounts()).toEqual([ADDRESS])
    expect(wallet.prompts.shown).toBe(1)
  })

  it('rejects with a plain object', async () => {
    const wallet = create({ prompts: 'reject' })
    await expect(wallet.provider.requestAccounts()).rejects.toStrictEqual(REJECTED)
    expect(wallet.state.permissions).toEqual([])
  })

  it('emits nothing on the first connect, and the address after a disconnect', async () => {
    const { provider } = create()
    const events = recordEvents(provider)
    await provider.requestAccounts()
    await provider.disconnect(ORIGIN)
    await provider.requestAccounts()
    expect(events).toEqual([
      ['accountsChanged', []],
      ['accountsChanged', [ADDRESS]],
    ])
  })

  it('approved before the check-in is not stored', async () => {
    const wallet = create({ checkIn: 60_000 })
    await expect(wallet.provider.requestAccounts()).rejects.toMatchObject({ code: 4100 })
    expect(wallet.state.permissions).toEqual([])
  })
})

it('exposes the accounts of the previous site before the check-in', async () => {
  const { provider } = create({
    checkIn: 60_000,
    previousSite: 'https://elsewhere.example',
    state: { permissions: ['https://elsewhere.example'] },
  })
  expect(await provider.getAccounts()).toEqual([ADDRESS])
})

describe('a lock', () => {
  it('emits an empty list; an unlock emits nothing', () => {
    const wallet = create({ state: PERMITTED })
    const events = recordEvents(wallet.provider)
    wallet.lock()
    wallet.unlock()
    expect(events).toEqual([['accountsChanged', []]])
  })

  it('prompts once, for the password', async () => {
    const wallet = create({ state: { ...PERMITTED, status: 'locked' } })
    expect(await wallet.provider.requestAccounts()).toEqual([ADDRESS])
    expect([wallet.prompts.shown, wallet.state.status]).toEqual([1, 'unlocked'])
  })
})

describe('a change of network', () => {
  it('is emitted before the address with the new prefix', async () => {
    const { provider } = create({ state: PERMITTED })
    const events = recordEvents(provider)
    expect(await provider.switchNetwork('kaspa_testnet_10')).toBe('kaspa_testnet_10')
    expect(events).toEqual([
      ['networkChanged', 'kaspa_testnet_10'],
      ['accountsChanged', ['kaspatest:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9ssxd5s7gn']],
    ])
  })

  it('needs no prompt between networks of one type', async () => {
    const wallet = create({ state: { ...PERMITTED, network: 'testnet-10' } })
    await wallet.provider.switchNetwork('kaspa_testnet_12')
    expect(wallet.prompts.shown).toBe(0)
  })
})

describe('two prompts at once', () => {
  it('leave the first call pending forever', async () => {
    const wallet = create({ state: PERMITTED, prompts: 'wait' })
    const onSettled = vi.fn()
    void wallet.provider.signMessage('a').finally(onSettled)
    await expect.poll(() => wallet.prompts.open).toHaveLength(1)
    const second = wallet.provider.signMessage('b')
    await expect.poll(() => wallet.prompts.open.map(({ detail }) => detail)).toEqual(['b'])
    wallet.prompts.open[0]!.respond('close')
    await expect(second).rejects.toStrictEqual(REJECTED)
    expect(onSettled).not.toHaveBeenCalled()
  })
})

describe('its arguments', () => {
  it('must be JSON: a bigint is rejected by the page script and recorded', async () => {
    const wallet = create({ state: PERMITTED })
    await expect(wallet.provider.sendKaspa(ADDRESS, 5n, { priorityFee: 0 })).rejects.toThrow(
      'Do not know how to serialize a BigInt',
    )
    expect(wallet.bigints).toEqual(['sendKaspa[1]'])
  })

  it('are queued while the page is hidden', async () => {
    const page = createTestPage({ visibilityState: 'hidden' })
    const { provider } = create({ page })
    const onVersion = vi.fn()
    void provider.getVersion().then(onVersion)
    await new Promise(setImmediate)
    expect(onVersion).not.toHaveBeenCalled()
    page.setState({ visibilityState: 'visible' })
    await expect.poll(() => onVersion).toHaveBeenCalledWith('0.13.5')
  })

  it('are limited to 500 pending calls', async () => {
    const { provider } = create()
    const outcomes = await Promise.allSettled(Array.from({ length: 520 }, () => provider.getVersion()))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(20)
  })
})

describe('its signatures', () => {
  const verify = (signature: string): boolean =>
    schnorr.verify(
      fromHex(signature),
      blake2bKeyed('PersonalMessageSigningHash', new TextEncoder().encode('Hello Kaspa!')),
      fromHex('1bacea84ca721c95d67ecace19bc499a77c03726bc8739af637bcd89abaaf058'),
    )

  it('are valid for the message, in hex or base64', async () => {
    const wallet = create({ state: PERMITTED })
    expect(verify(String(await wallet.provider.signMessage('Hello Kaspa!')))).toBe(true)
    wallet.behavior.signature = 'base64'
    const base64 = String(await wallet.provider.signMessage('Hello Kaspa!'))
    expect(verify(Buffer.from(base64, 'base64').toString('hex'))).toBe(true)
  })
})

it('resolves a payment to an id, a JSON string or an object', async () => {
  const wallet = create({ state: PERMITTED })
  const send = () => wallet.provider.sendKaspa(ADDRESS, 20_000_000, { priorityFee: 0 })
  expect(await send()).toMatch(/^[0-9a-f]{64}$/)
  wallet.behavior.send = 'json'
  expect(JSON.parse(String(await send()))).toMatchObject({ outputs: [{ value: '20000000' }, {}] })
  wallet.behavior.send = 'object'
  expect(await send()).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

it('counts the registered listeners', () => {
  const wallet = create()
  const listener = (): void => undefined
  wallet.provider.on('accountsChanged', listener)
  expect(wallet.listeners).toBe(1)
  wallet.provider.removeListener('accountsChanged', listener)
  expect(wallet.listeners).toBe(0)
})

describe('planned faults', () => {
  it('fail, drop and delay single calls', async () => {
    const wallet = create({ state: PERMITTED })
    wallet.failNext('getBalance', { code: -32603, message: 'no node' })
    await expect(wallet.provider.getBalance()).rejects.toEqual({ code: -32603, message: 'no node' })
    const release = wallet.delayNext('getBalance')
    const delayed = wallet.provider.getBalance()
    release()
    expect(await delayed).toEqual({ confirmed: 120_000_000_000, unconfirmed: 0, total: 120_000_000_000 })
  })
})

describe('the provider', () => {
  it('is injected as a constant property and announced once', () => {
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

function recordEvents(provider: ReturnType<typeof create>['provider']): unknown[] {
  const events: unknown[] = []
  for (const event of ['accountsChanged', 'networkChanged']) {
    provider.on(event, (payload: unknown) => void events.push([event, payload]))
  }
  return events
}

/** Removes the error's stack, which names the wallet's own files. */
const withoutStack = (outcome: unknown): unknown =>
  JSON.parse(JSON.stringify(outcome, (key, value: unknown) => (key === 'stack' ? undefined : value)))
