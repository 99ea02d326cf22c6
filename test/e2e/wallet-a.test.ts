import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, openTheatre, type Scene, type SceneOptions, type Theatre } from './wallet-scene.js'

const ADDRESS = 'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh'
const SECOND = 'kaspa:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukvgpgq6pcp'
const KEY = '031bacea84ca721c95d67ecace19bc499a77c03726bc8739af637bcd89abaaf058'
const REJECTED = { code: 4001, message: 'User rejected the request.' }

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
})
afterAll(() => theatre.close())

const visit = (a: SceneOptions['a'] = {}, more: SceneOptions = {}): Promise<Scene> => openScene(theatre, { a, ...more })

async function connected(a: SceneOptions['a'] = {}): Promise<Scene> {
  const scene = await visit(a)
  expect(await scene.attempt('connect', 'walletA')).toEqual({ resolved: null })
  return scene
}

const shown = ({ page }: Scene): Promise<number> => page.evaluate(() => window.a.prompts.shown)
/** Waits until the wallet has answered one more call, and with it every earlier one. */
const answered = ({ page }: Scene, method: 'getVersion' | 'getAccounts'): Promise<unknown> =>
  page.evaluate((name) => window.a.provider[name](), method)

/** The page has the focus back, from the wallet's window say; Playwright's pages never lose theirs. */
const comeBack = ({ page }: Scene): Promise<unknown> => page.evaluate(() => window.dispatchEvent(new Event('focus')))

const failure = (operation: string) => ({ message: `Wallet operation "${operation}" failed`, operation })

describe('walletA comes into the page', () => {
  it('late, 4 s after the page, and is there then without a reload', async () => {
    const scene = await visit({}, { injection: { after: 4000 } })
    expect((await scene.state()).installed).toEqual([false, false])
    await scene.becomes({ installed: [true, false] })
    await scene.end()
  })

  it('never, and connecting says so', async () => {
    const scene = await openScene(theatre)
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
      address: ADDRESS,
      publicKey: KEY,
      network: 'mainnet',
    })
    await scene.becomes({ balance: { confirmed: '120000000000', unconfirmed: '0', total: '120000000000' } })
    expect(await shown(scene)).toBe(1)
    await scene.end()
  })

  it.each(['reject', 'close'] as const)('ends where the user does %s, with the wallet’s own words', async (prompts) => {
    const scene = await visit({ prompts })
    const outcome = await scene.attempt('connect', 'walletA')
    expect(outcome).toEqual({ ...failure('connect'), code: 'rejected', cause: REJECTED })
    expect(await scene.state()).toMatchObject({ status: 'disconnected', address: null, error: 'rejected' })
    await scene.end()
  })

  it('twice at once asks once', async () => {
    const scene = await visit()
    const both = Promise.all([scene.attempt('connect', 'walletA'), scene.attempt('connect', 'walletA')])
    expect(await both).toEqual([{ resolved: null }, { resolved: null }])
    expect(await shown(scene)).toBe(1)
    await scene.end()
  })

  it('where nobody has made a wallet yet fails, and is no refusal', async () => {
    const scene = await visit({ state: { status: 'empty' } })
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
    await scene.becomes({ status: 'connected', address: ADDRESS })
    expect(await shown(scene)).toBe(0)
    await scene.end()
  })

  it('in another tab, where the wallet at first claims to know nobody', async () => {
    const scene = await connected({ checkIn: 100 })
    const tab = await scene.context.newPage()
    await tab.goto(theatre.built.url)
    await expect.poll(() => tab.evaluate(() => window.snapshot().address), { timeout: 10_000 }).toBe(ADDRESS)
    expect(await tab.evaluate(() => window.a.prompts.shown)).toBe(0)
    await scene.end()
  })

  it('in two tabs, of which one lets go: the other hears it', async () => {
    const scene = await connected()
    const tab = await scene.context.newPage()
    await tab.goto(theatre.built.url)
    const address = (): Promise<string | null> => tab.evaluate(() => window.snapshot().address)
    await expect.poll(address, { timeout: 10_000 }).toBe(ADDRESS)
    await scene.page.evaluate(() => window.a.selectAccount(1))
    await expect.poll(address, { timeout: 10_000 }).toBe(SECOND)
    await scene.attempt('disconnect')
    await expect.poll(address, { timeout: 10_000 }).toBeNull()
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
    expect((await scene.state()).publicKey).not.toBe(KEY)
    await scene.end()
  })

  it('is followed: another network, and the address that begins otherwise', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.switchNetwork('testnet-10'))
    await scene.becomes({ network: 'testnet-10', address: expect.stringMatching(/^kaspatest:/) as string })
    await scene.end()
  })

  it('is followed: locked, and unlocked again without a word from the wallet', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.lock())
    await scene.becomes({ status: 'locked', address: null, balance: null })
    const prompts = await shown(scene)
    await scene.page.evaluate(() => window.a.unlock())
    await comeBack(scene)
    await scene.becomes({ status: 'connected', address: ADDRESS })
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

describe('switching the network from the page', () => {
  it('resolves once the account of that network is there', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => (window.a.answers.accountsLag = 300))
    expect(await scene.attempt('switchNetwork', 'testnet-10')).toEqual({ resolved: null })
    expect(await scene.state()).toMatchObject({
      network: 'testnet-10',
      address: expect.stringMatching(/^kaspatest:/) as string,
    })
    await scene.end()
  })

  it('is refused before the wallet is asked where it has no such network', async () => {
    const scene = await connected()
    const before = await shown(scene)
    expect(await scene.attempt('switchNetwork', 'simnet')).toMatchObject(failure('switchNetwork'))
    expect(await shown(scene)).toBe(before)
    await scene.end()
  })

  it('that the user declines leaves everything as it was', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.prompts.answerWith('close'))
    expect(await scene.attempt('switchNetwork', 'testnet-10')).toMatchObject({ code: 'rejected', cause: REJECTED })
    expect(await scene.state()).toMatchObject({ network: 'mainnet', address: ADDRESS, status: 'connected' })
    await scene.end()
  })
})

describe('paying through walletA', () => {
  it.each(['id', 'json', 'object'] as const)('gives the id where the wallet answers with %s', async (form) => {
    const scene = await connected()
    await scene.page.evaluate((send) => (window.a.answers.send = send), form)
    const outcome = await scene.attempt('sendKaspa', SECOND, '100000000n', { priorityFee: '1000n', payload: 'BEEF' })
    expect(outcome).toEqual({ resolved: expect.stringMatching(/^[0-9a-f]{64}$/) as string })
    const sent = await scene.page.evaluate(() => window.a.calls.filter(({ method }) => method === 'sendKaspa'))
    expect(sent[0]?.args).toEqual([SECOND, 100_000_000, { priorityFee: 1000, payload: 'beef' }])
    await scene.end()
  })

  it('refuses what cannot be meant before the wallet is asked', async () => {
    const scene = await connected()
    const senseless = [
      ['9007199254740992n', {}],
      ['0n', {}],
      ['-1n', {}],
      ['1n', { priorityFee: '9007199254740992n' }],
      ['1n', { payload: 'abc' }],
      ['1n', { payload: '0xab' }],
    ]
    for (const [amount, options] of senseless) {
      expect(await scene.attempt('sendKaspa', SECOND, amount, options)).toMatchObject(failure('sendKaspa'))
    }
    const elsewhere = 'kaspatest:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukvf8wm4lf9'
    expect(await scene.attempt('sendKaspa', elsewhere, '100000000n')).toMatchObject(failure('sendKaspa'))
    const calls = await scene.page.evaluate(() => window.a.calls.map(({ method }) => method))
    expect(calls).not.toContain('sendKaspa')
    await scene.end()
  })

  it('lets the largest number through that is exact', async () => {
    const scene = await connected()
    expect(await scene.attempt('sendKaspa', SECOND, '9007199254740991n')).toHaveProperty('resolved')
    await scene.end()
  })

  it.each(['reject', 'close'] as const)('ends where the user does %s', async (answer) => {
    const scene = await connected()
    await scene.page.evaluate((policy) => window.a.prompts.answerWith(policy), answer)
    const outcome = await scene.attempt('sendKaspa', SECOND, '100000000n')
    expect(outcome).toEqual({ ...failure('sendKaspa'), code: 'rejected', cause: REJECTED })
    expect(await scene.state()).toMatchObject({ status: 'connected', error: 'rejected' })
    await scene.end()
  })
})

describe('signing with walletA', () => {
  it.each(['hex', 'base64'] as const)('gives what verifyMessage takes, from %s', async (form) => {
    const scene = await connected()
    await scene.page.evaluate((signature) => (window.a.answers.signature = signature), form)
    const outcome = await scene.attempt('signMessage', '日本語 \n ü')
    expect(outcome).toMatchObject({ resolved: { signature: expect.stringMatching(/^[0-9a-f]{128}$/) as string } })
    const signed = (outcome as { resolved: unknown }).resolved
    expect(await scene.page.evaluate(`verify(${JSON.stringify(signed)})`)).toBe(true)
    await scene.end()
  })

  it.each(['reject', 'close'] as const)('ends where the user does %s', async (answer) => {
    const scene = await connected()
    await scene.page.evaluate((policy) => window.a.prompts.answerWith(policy), answer)
    expect(await scene.attempt('signMessage', 'x')).toEqual({
      ...failure('signMessage'),
      code: 'rejected',
      cause: REJECTED,
    })
    await scene.end()
  })
})

describe('while a window is open', () => {
  it('a second question is refused at once, and the first is still answered', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.prompts.answerWith('wait'))
    const first = scene.attempt('signMessage', 'first')
    await scene.page.waitForFunction(() => window.a.prompts.open.length === 1)
    expect(await scene.attempt('sendKaspa', SECOND, '100000000n')).toMatchObject({ code: 'busy' })
    await scene.page.evaluate(() => window.a.prompts.open[0]?.answer('approve'))
    expect(await first).toHaveProperty('resolved')
    await scene.end()
  })

  it('letting go of the wallet ends the wait, and a late answer changes nothing', async () => {
    const scene = await visit({ prompts: 'wait' })
    const connecting = scene.attempt('connect', 'walletA')
    await scene.page.waitForFunction(() => window.a.prompts.open.length === 1)
    await scene.attempt('disconnect')
    expect(await connecting).toMatchObject({ ...failure('connect'), code: 'cancelled' })
    await scene.page.evaluate(() => window.a.prompts.open[0]?.answer('approve'))
    await answered(scene, 'getVersion') // asked later, so the earlier answer has come
    expect(await scene.state()).toMatchObject({ status: 'disconnected', address: null })
    await scene.end()
  })

  it('a payment that is given up has an unknown outcome', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.a.prompts.answerWith('wait'))
    const paying = scene.attempt('sendKaspa', SECOND, '100000000n')
    await scene.page.waitForFunction(() => window.a.prompts.open.length === 1)
    await scene.attempt('disconnect')
    expect(await paying).toMatchObject({ ...failure('sendKaspa'), code: 'unknown-outcome' })
    await scene.end()
  })
})

it('drops an answer that comes after letting go', async () => {
  const scene = await connected()
  await scene.page.evaluate(() => {
    Object.assign(window, { release: window.a.holdNext('getAccounts') })
    window.a.selectAccount(1)
  })
  await scene.attempt('disconnect')
  await scene.page.evaluate('release()')
  await answered(scene, 'getVersion')
  expect(await scene.state()).toMatchObject({ status: 'disconnected', address: null })
  await scene.end()
})

it('leaves no listener behind after ten rounds of connecting and letting go', async () => {
  const scene = await visit()
  for (let round = 0; round < 10; round++) {
    await scene.attempt('connect', 'walletA')
    await scene.attempt('disconnect')
  }
  await expect.poll(() => scene.page.evaluate(() => window.a.listeners)).toBe(0)
  await scene.end()
})
