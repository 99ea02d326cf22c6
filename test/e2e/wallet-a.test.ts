import { describe, expect, it } from 'vitest'
import type { Scene, SceneOptions } from './wallet-scene.js'
import { FIRST, FIRST_KEY, ON_TESTNET, SECOND, connectTo, failure, onStage } from './wallet-stage.js'

const REJECTED = { code: 4001, message: 'User rejected the request.' }

const { visit } = onStage()
const connected = (a: SceneOptions['a'] = {}): Promise<Scene> => connectTo('walletA', visit({ a }))
const shown = ({ page }: Scene): Promise<number> => page.evaluate(() => window.a.prompts.shown)

/** Waits until the wallet has answered one more call, and with it every earlier one. */
const answered = ({ page }: Scene, method: 'getVersion' | 'getAccounts'): Promise<unknown> =>
  page.evaluate((name) => window.a.provider[name](), method)

/** The page has the focus back, from the wallet's window say; Playwright's pages never lose theirs. */
const comeBack = ({ page }: Scene): Promise<unknown> => page.evaluate(() => window.dispatchEvent(new Event('focus')))

describe('walletA comes into the page', () => {
  it('late, 4 s after the page, and is there then without a reload', async () => {
    const scene = await visit()
    expect((await scene.state()).installed).toEqual([false, false])
    await scene.page.evaluate(() => {
      window.a = window.fakeWallets.createFakeWalletA({})
      window.a.install({ after: 4000 })
    })
    await scene.becomes({ installed: [true, false] })
    await scene.end()
  })

  it('never, and connecting says so', async () => {
    const scene = await visit()
    expect(await scene.attempt('connect', 'walletA')).toMatchObject({ ...failure('connect'), code: 'not-installed' })
    expect(await scene.state()).toMatchObject({ status: 'disconnected', error: 'not-installed', isConnecting: false })
    await scene.end()
  })
})

describe('connecting to walletA', () => {
  it('shows account, key, network and balance together', async () => {
    const scene = await connected()
    expect(await scene.state()).toMatchObject({
      status: 'connected',
      provider: 'walletA',
      address: FIRST,
      publicKey: FIRST_KEY,
      network: 'mainnet',
    })
    await scene.becomes({ balance: { confirmed: '120000000000', unconfirmed: '0', total: '120000000000' } })
    expect(await shown(scene)).toBe(1)
    await scene.end()
  })

  it.each(['reject', 'close'] as const)('ends where the user does %s, with the wallet’s own words', async (prompts) => {
    const scene = await visit({ a: { prompts } })
    const outcome = await scene.attempt('connect', 'walletA')
    expect(outcome).toEqual({ ...failure('connect'), code: 'rejected', cause: REJECTED })
    expect(await scene.state()).toMatchObject({ status: 'disconnected', address: null, error: 'rejected' })
    await scene.end()
  })

  it('twice at once asks once', async () => {
    const scene = await visit({ a: {} })
    const both = Promise.all([scene.attempt('connect', 'walletA'), scene.attempt('connect', 'walletA')])
    expect(await both).toEqual([{ resolved: null }, { resolved: null }])
    expect(await shown(scene)).toBe(1)
    await scene.end()
  })

  it('where nobody has made a wallet yet fails, and is no refusal', async () => {
    const scene = await visit({ a: { state: { status: 'empty' } } })
    const outcome = await scene.attempt('connect', 'walletA')
    expect(outcome).toMatchObject({ ...failure('connect'), cause: { message: 'wallet must has at least one account' } })
    expect(outcome).not.toMatchObject({ code: 'rejected' })
    await scene.end()
  })
})

describe('coming back to the page', () => {
  it('takes the wallet up again without a window', async () => {
    const scene = await connected()
    await scene.page.reload()
    await scene.becomes({ status: 'connected', address: FIRST })
    expect(await shown(scene)).toBe(0)
    await scene.end()
  })

  it('in another tab, where the wallet at first claims to know nobody', async () => {
    const scene = await connected({ checkIn: 100 })
    const tab = await scene.context.newPage()
    await tab.goto(scene.page.url())
    await expect.poll(() => tab.evaluate(() => window.snapshot().address)).toBe(FIRST)
    expect(await tab.evaluate(() => window.a.prompts.shown)).toBe(0)
    await scene.end()
  })

  it('in two tabs, of which one lets go: the other hears it', async () => {
    const scene = await connected()
    const tab = await scene.context.newPage()
    await tab.goto(scene.page.url())
    const address = (): Promise<string | null> => tab.evaluate(() => window.snapshot().address)
    await expect.poll(address).toBe(FIRST)
    await scene.page.evaluate(() => window.a.selectAccount(1))
    await expect.poll(address).toBe(SECOND)
    await scene.attempt('disconnect')
    await expect.poll(address).toBeNull()
    await scene.end()
  })

  it('after letting go of the wallet leaves it alone', async () => {
    const scene = await connected()
    await scene.attempt('disconnect')
    await scene.page.reload()
    await scene.becomes({ installed: [true, false] })
    await answered(scene, 'getAccounts') // the wallet knows the site again, and would answer
    expect(await scene.state()).toMatchObject({ status: 'disconnected', address: null })
    expect(await scene.page.evaluate(() => window.a.calls.map(({ method }) => method))).toEqual(['getAccounts'])
    expect(await shown(scene)).toBe(0)
    await scene.end()
  })
})

describe('what the user does in the wallet', () => {
  it('is followed: another account, with its own key', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.selectAccount(1))
    await scene.becomes({ address: SECOND, status: 'connected' })
    expect((await scene.state()).publicKey).not.toBe(FIRST_KEY)
    await scene.end()
  })

  it('is followed: another network, and the address that begins otherwise', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.switchNetwork('testnet-10'))
    await scene.becomes({ network: 'testnet-10', address: ON_TESTNET })
    await scene.end()
  })

  it('is followed: locked, and unlocked again without a word from the wallet', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.lock())
    await scene.becomes({ status: 'locked', address: null, balance: null })
    const prompts = await shown(scene)
    await scene.page.evaluate(() => window.a.unlock())
    await comeBack(scene)
    await scene.becomes({ status: 'connected', address: FIRST })
    expect(await shown(scene)).toBe(prompts)
    await scene.end()
  })

  it('is followed: the site is removed', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.forgetSite())
    await scene.becomes({ address: null, publicKey: null, balance: null })
    await scene.end()
  })
})
