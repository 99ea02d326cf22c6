import { describe, expect, it } from 'vitest'
import type { Harness, HarnessOptions } from './wallet-harness.js'
import {
  FIRST,
  FIRST_KEY,
  ON_TESTNET,
  SECOND,
  TRANSACTION_ID,
  connectTo,
  failure,
  setupWalletPage,
} from './wallet-fixture.js'

const DENIED = { name: 'Error', message: 'User denied' }
/** Longer than any test. */
const PROMPT_TIMEOUT = 3_600_000

const { visit } = setupWalletPage()
const connected = (b: HarnessOptions['b'] = {}): Promise<Harness> => connectTo('walletB', visit({ b }))
const shown = ({ page }: Harness): Promise<number> => page.evaluate(() => window.b.prompts.shown)
const respondWith = ({ page }: Harness, policy: 'reject' | 'close' | 'wait'): Promise<void> =>
  page.evaluate((next) => window.b.prompts.respondWith(next), policy)

/** Keeps the timers of `ms` that start from now on; `passTime()` in the page fires those that were not cleared. */
const keepTimers = ({ page }: Harness, ms: number): Promise<unknown> =>
  page.evaluate(`{
    const [start, clear] = [setTimeout, clearTimeout]
    const kept = new Map()
    window.setTimeout = (run, after, ...given) => {
      const id = start(run, after, ...given)
      if (after === ${ms}) kept.set(id, run)
      return id
    }
    window.clearTimeout = (id) => {
      kept.delete(id)
      clear(id)
    }
    window.passTime = () => kept.forEach((run) => run())
  }`)

describe('installation of walletB', () => {
  it.each([
    { order: 'event first', gap: 60 },
    { order: 'object first', gap: 0 }, // the event follows before the page has loaded
  ] as const)('is detected in two parts, $order', async (arrival) => {
    const harness = await visit({ b: { arrival } })
    expect(await harness.attempt('connect', 'walletB')).toEqual({ resolved: null })
    expect(await harness.state()).toMatchObject({ status: 'connected', address: FIRST })
  })

  it('is detected 4 s after the page load', async () => {
    const harness = await visit({ b: {}, injection: { after: 4000 } })
    expect(await harness.attempt('connect', 'walletB')).toEqual({ resolved: null })
  })

  it('is missing: connect rejects with not-installed', async () => {
    const harness = await visit()
    expect(await harness.attempt('connect', 'walletB')).toMatchObject({ ...failure('connect'), code: 'not-installed' })
  })
})

describe('connecting to walletB', () => {
  it('shows account, key and network, and no balance', async () => {
    const harness = await connected()
    expect(await harness.state()).toMatchObject({
      status: 'connected',
      provider: 'walletB',
      address: FIRST,
      publicKey: FIRST_KEY,
      network: 'mainnet',
      balance: null,
    })
    expect(await shown(harness)).toBe(1)
  })

  it('compresses the public key of a hardware device', async () => {
    const harness = await visit({ b: {} })
    await harness.page.evaluate(() => (window.b.behavior.publicKey = 'uncompressed'))
    await harness.attempt('connect', 'walletB')
    expect((await harness.state()).publicKey).toBe(FIRST_KEY)
  })

  it.each(['reject', 'close'] as const)('rejects on the user’s %s', async (prompts) => {
    const harness = await visit({ b: { prompts } })
    expect(await harness.attempt('connect', 'walletB')).toEqual({
      ...failure('connect'),
      code: 'rejected',
      cause: DENIED,
    })
    expect(await harness.state()).toMatchObject({ status: 'disconnected', address: null })
  })

  it('shows one prompt for two concurrent calls', async () => {
    const harness = await visit({ b: {} })
    await Promise.all([harness.attempt('connect', 'walletB'), harness.attempt('connect', 'walletB')])
    expect(await shown(harness)).toBe(1)
  })
})

describe('restoring the connection', () => {
  it('reconnects after a reload without a prompt, also when locked', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.b.lock())
    await harness.page.reload()
    await harness.waitForState({ status: 'connected', address: FIRST })
    expect(await shown(harness)).toBe(0)
  })

  it('does not reconnect after a disconnect, although the permission remains', async () => {
    const harness = await connected()
    await harness.attempt('disconnect')
    await harness.page.reload()
    await harness.waitForState({ installed: [false, true] })
    expect(await harness.page.evaluate(() => window.b.provider.getAccount())).toMatchObject({ address: FIRST })
    expect(await harness.state()).toMatchObject({ status: 'disconnected', address: null })
    expect(await harness.attempt('connect', 'walletB')).toEqual({ resolved: null })
    expect(await shown(harness)).toBe(0)
  })
})

describe('changes in the wallet', () => {
  it('update the status for an account without permission, and back', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.b.selectAccount(1))
    await harness.waitForState({ status: 'disconnected-by-wallet', address: null, publicKey: null })
    await harness.page.evaluate(() => window.b.selectAccount(0))
    await harness.waitForState({ status: 'connected', address: FIRST })
    expect(await shown(harness)).toBe(1)
  })

  it('clear the account when the site is unlinked, without an event', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.b.forgetSite())
    await harness.waitForState({ address: null })
  })

  it('update the network and the address', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.b.switchNetwork('testnet-10'))
    await harness.waitForState({ network: 'testnet-10', address: ON_TESTNET })
  })

  it('are no connection while the address stays behind the network', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => {
      window.b.behavior.address = 'stale'
      window.b.switchNetwork('testnet-10')
    })
    await harness.waitForState({ status: 'wrong-network', network: null, address: null })
    await harness.page.evaluate(() => window.b.updateAddress())
    await harness.waitForState({ status: 'connected', network: 'testnet-10', address: ON_TESTNET })
  })
})

describe('switching the network from the page', () => {
  it('resolves with the account of that network', async () => {
    const harness = await connected()
    expect(await harness.attempt('switchNetwork', 'testnet-10')).toEqual({ resolved: null })
    expect(await harness.state()).toMatchObject({ network: 'testnet-10', address: ON_TESTNET })
  })

  it('keeps the state when the user declines', async () => {
    const harness = await connected()
    await respondWith(harness, 'close')
    expect(await harness.attempt('switchNetwork', 'testnet-10')).toMatchObject({ code: 'rejected', cause: DENIED })
    expect(await harness.state()).toMatchObject({ network: 'mainnet', address: FIRST })
  })

  it('rejects a network for which the wallet would show a broken window, without a prompt', async () => {
    const harness = await connected()
    expect(await harness.attempt('switchNetwork', 'testnet-12')).toMatchObject(failure('switchNetwork'))
    expect(await shown(harness)).toBe(1)
  })
})

describe('paying through walletB', () => {
  const PAID = { resolved: TRANSACTION_ID }

  it('builds the transaction first, with amounts as text, and sends it', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.b.setBalance(2n ** 62n))
    expect(await harness.attempt('sendKaspa', SECOND, '9007199254740993n', { priorityFee: '7n' })).toEqual(PAID)
    const calls = await harness.page.evaluate(() => window.b.calls)
    const built = calls.find(({ method }) => method === 'buildTransaction')
    expect(JSON.stringify(built?.args)).toContain('"9007199254740993"')
    expect(calls.map(({ method }) => method)).toContain('signAndBroadcastTx')
  })

  it('sends by number where the version cannot build, up to the largest safe integer', async () => {
    const harness = await connected({ profile: '2.36' })
    expect(await harness.attempt('sendKaspa', SECOND, '20000000n')).toEqual(PAID)
    expect(await harness.attempt('sendKaspa', SECOND, '9007199254740992n')).toMatchObject(failure('sendKaspa'))
  })

  it('rejects a payment of several transactions: this wallet would send only the first', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => (window.b.behavior.transactions = 3))
    expect(await harness.attempt('sendKaspa', SECOND, '100000000n')).toMatchObject(failure('sendKaspa'))
    expect(await shown(harness)).toBe(1)
  })

  it('rejects amounts below its minimum and invalid options, without a prompt', async () => {
    const harness = await connected()
    for (const [amount, options] of [['19999999n'], ['0n'], ['20000000n', { payload: 'abc' }]] as const) {
      expect(await harness.attempt('sendKaspa', SECOND, amount, options)).toMatchObject(failure('sendKaspa'))
    }
    expect(await shown(harness)).toBe(1)
    expect(await harness.attempt('sendKaspa', SECOND, '20000000n')).toEqual(PAID)
  })

  it.each(['reject', 'close'] as const)('rejects on the user’s %s', async (response) => {
    const harness = await connected()
    await respondWith(harness, response)
    expect(await harness.attempt('sendKaspa', SECOND, '100000000n')).toEqual({
      ...failure('sendKaspa'),
      code: 'rejected',
      cause: DENIED,
    })
  })

  it('has an unknown outcome after the timeout of the prompt', async () => {
    const harness = await connected({ timeout: PROMPT_TIMEOUT })
    await respondWith(harness, 'wait')
    await keepTimers(harness, PROMPT_TIMEOUT)
    const before = await shown(harness)
    const attempt = harness.attempt('sendKaspa', SECOND, '100000000n')
    await expect.poll(() => shown(harness)).toBe(before + 1)
    await harness.page.evaluate('passTime()')
    expect(await attempt).toMatchObject({
      ...failure('sendKaspa'),
      code: 'unknown-outcome',
      cause: { message: 'Timeout' },
    })
  })
})

describe('signing with walletB', () => {
  it('resolves to a signature for verifyMessage', async () => {
    const harness = await connected()
    const outcome = await harness.attempt('signMessage', '100% & a+b #x ?y=%20')
    const signed = (outcome as { resolved: unknown }).resolved
    expect(await harness.page.evaluate(`verify(${JSON.stringify(signed)})`)).toBe(true)
  })

  it('rejects an empty message without a prompt', async () => {
    const harness = await connected()
    expect(await harness.attempt('signMessage', '')).toMatchObject(failure('signMessage'))
    expect(await shown(harness)).toBe(1)
  })

  it.each(['reject', 'close'] as const)('rejects on the user’s %s', async (response) => {
    const harness = await connected()
    await respondWith(harness, response)
    expect(await harness.attempt('signMessage', 'x')).toMatchObject({ ...failure('signMessage'), cause: DENIED })
  })
})

it('leaves no listener after ten connects and disconnects', async () => {
  const harness = await visit({ b: {} })
  for (let round = 0; round < 10; round++) {
    await harness.attempt('connect', 'walletB')
    await harness.attempt('disconnect')
  }
  await expect.poll(() => harness.page.evaluate(() => window.b.listeners)).toBe(0)
})
