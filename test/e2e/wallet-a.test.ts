import { describe, expect, it } from 'vitest'
import type { Harness, HarnessOptions } from './wallet-harness.js'
import { FIRST, FIRST_KEY, ON_TESTNET, SECOND, connectTo, failure, setupWalletPage } from './wallet-fixture.js'

const REJECTED = { code: 4001, message: 'User rejected the request.' }

const { visit } = setupWalletPage()
const connected = (a: HarnessOptions['a'] = {}): Promise<Harness> => connectTo('walletA', visit({ a }))
const shown = ({ page }: Harness): Promise<number> => page.evaluate(() => window.a.prompts.shown)

/** Waits for the response to another call, and so for all earlier ones. */
const flushCalls = ({ page }: Harness, method: 'getVersion' | 'getAccounts'): Promise<unknown> =>
  page.evaluate((name) => window.a.provider[name](), method)

/** Dispatches the focus event of a return from the wallet's window; Playwright's pages never lose the focus. */
const focusPage = ({ page }: Harness): Promise<unknown> => page.evaluate(() => window.dispatchEvent(new Event('focus')))

describe('installation of walletA', () => {
  it('is detected 4 s after the page load, without a reload', async () => {
    const harness = await visit()
    expect((await harness.state()).installed).toEqual([false, false])
    await harness.page.evaluate(() => {
      window.a = window.fakeWallets.createFakeWalletA({})
      window.a.install({ after: 4000 })
    })
    await harness.waitForState({ installed: [true, false] })
  })

  it('is missing: connect rejects with not-installed', async () => {
    const harness = await visit()
    expect(await harness.attempt('connect', 'walletA')).toMatchObject({ ...failure('connect'), code: 'not-installed' })
    expect(await harness.state()).toMatchObject({ status: 'disconnected', error: 'not-installed', isConnecting: false })
  })
})

describe('connecting to walletA', () => {
  it('shows account, key, network and balance together', async () => {
    const harness = await connected()
    expect(await harness.state()).toMatchObject({
      status: 'connected',
      provider: 'walletA',
      address: FIRST,
      publicKey: FIRST_KEY,
      network: 'mainnet',
    })
    await harness.waitForState({ balance: { confirmed: '120000000000', unconfirmed: '0', total: '120000000000' } })
    expect(await shown(harness)).toBe(1)
  })

  it.each(['reject', 'close'] as const)(
    'rejects on the user’s %s, with the wallet’s error as cause',
    async (prompts) => {
      const harness = await visit({ a: { prompts } })
      const outcome = await harness.attempt('connect', 'walletA')
      expect(outcome).toEqual({ ...failure('connect'), code: 'rejected', cause: REJECTED })
      expect(await harness.state()).toMatchObject({ status: 'disconnected', address: null, error: 'rejected' })
    },
  )

  it('shows one prompt for two concurrent calls', async () => {
    const harness = await visit({ a: {} })
    const both = Promise.all([harness.attempt('connect', 'walletA'), harness.attempt('connect', 'walletA')])
    expect(await both).toEqual([{ resolved: null }, { resolved: null }])
    expect(await shown(harness)).toBe(1)
  })

  it('fails without an account in the wallet, and not as rejected', async () => {
    const harness = await visit({ a: { state: { status: 'empty' } } })
    const outcome = await harness.attempt('connect', 'walletA')
    expect(outcome).toMatchObject({ ...failure('connect'), cause: { message: 'wallet must has at least one account' } })
    expect(outcome).not.toMatchObject({ code: 'rejected' })
  })
})

describe('restoring the connection', () => {
  it('reconnects after a reload without a prompt', async () => {
    const harness = await connected()
    await harness.page.reload()
    await harness.waitForState({ status: 'connected', address: FIRST })
    expect(await shown(harness)).toBe(0)
  })

  it('reconnects in another tab, where the wallet first reports no accounts', async () => {
    const harness = await connected({ checkIn: 100 })
    const tab = await harness.context.newPage()
    await tab.goto(harness.page.url())
    await expect.poll(() => tab.evaluate(() => window.snapshot().address)).toBe(FIRST)
    expect(await tab.evaluate(() => window.a.prompts.shown)).toBe(0)
  })

  it('disconnects in all tabs', async () => {
    const harness = await connected()
    const tab = await harness.context.newPage()
    await tab.goto(harness.page.url())
    const address = (): Promise<string | null> => tab.evaluate(() => window.snapshot().address)
    await expect.poll(address).toBe(FIRST)
    await harness.page.evaluate(() => window.a.selectAccount(1))
    await expect.poll(address).toBe(SECOND)
    expect(await harness.attempt('disconnect')).toEqual({ resolved: null })
    await expect.poll(address).toBeNull()
  })

  it('does not reconnect after a disconnect', async () => {
    const harness = await connected()
    await harness.attempt('disconnect')
    await harness.page.reload()
    await harness.waitForState({ installed: [true, false] })
    await flushCalls(harness, 'getAccounts') // the wallet knows the site again and would respond
    expect(await harness.state()).toMatchObject({ status: 'disconnected', address: null })
    expect(await harness.page.evaluate(() => window.a.calls.map(({ method }) => method))).toEqual(['getAccounts'])
    expect(await shown(harness)).toBe(0)
  })
})

describe('changes in the wallet', () => {
  it('update the account and its key', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.a.selectAccount(1))
    await harness.waitForState({ address: SECOND, status: 'connected' })
    expect((await harness.state()).publicKey).not.toBe(FIRST_KEY)
  })

  it('update the network and the address prefix', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.a.switchNetwork('testnet-10'))
    await harness.waitForState({ network: 'testnet-10', address: ON_TESTNET })
  })

  it('update the status on lock, and on unlock without an event', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.a.lock())
    await harness.waitForState({ status: 'locked', address: null, balance: null })
    const prompts = await shown(harness)
    await harness.page.evaluate(() => window.a.unlock())
    await focusPage(harness)
    await harness.waitForState({ status: 'connected', address: FIRST })
    expect(await shown(harness)).toBe(prompts)
  })

  it('clear the account when the site is removed', async () => {
    const harness = await connected()
    await harness.page.evaluate(() => window.a.forgetSite())
    await harness.waitForState({ address: null, publicKey: null, balance: null })
  })
})
