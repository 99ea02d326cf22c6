import { describe, expect, it } from 'vitest'
import type { Scene, SceneOptions } from './wallet-scene.js'
import { FIRST, FIRST_KEY, ON_TESTNET, SECOND, TRANSACTION_ID, connectTo, failure, onStage } from './wallet-stage.js'

const DENIED = { name: 'Error', message: 'User denied' }

const { visit } = onStage()
const connected = (b: SceneOptions['b'] = {}): Promise<Scene> => connectTo('walletB', visit({ b }))
const shown = ({ page }: Scene): Promise<number> => page.evaluate(() => window.b.prompts.shown)
const answerWith = ({ page }: Scene, policy: 'reject' | 'close' | 'wait'): Promise<void> =>
  page.evaluate((next) => window.b.prompts.answerWith(next), policy)

describe('walletB comes into the page', () => {
  it.each([
    { order: 'event first', gap: 60 },
    { order: 'object first', gap: 0 }, // its other half is up before the page has loaded,
  ] as const)('in two pieces, $order', async (arrival) => {
    const scene = await visit({ b: { arrival } })
    expect(await scene.attempt('connect', 'walletB')).toEqual({ resolved: null })
    expect(await scene.state()).toMatchObject({ status: 'connected', address: FIRST })
    await scene.end()
  })

  it('late, 4 s after the page', async () => {
    const scene = await visit({ b: {}, injection: { after: 4000 } })
    expect(await scene.attempt('connect', 'walletB')).toEqual({ resolved: null })
    await scene.end()
  })

  it('never, and connecting says so', async () => {
    const scene = await visit()
    expect(await scene.attempt('connect', 'walletB')).toMatchObject({ ...failure('connect'), code: 'not-installed' })
    await scene.end()
  })
})

describe('connecting to walletB', () => {
  it('shows account, key and network, and no balance', async () => {
    const scene = await connected()
    expect(await scene.state()).toMatchObject({
      status: 'connected',
      provider: 'walletB',
      address: FIRST,
      publicKey: FIRST_KEY,
      network: 'mainnet',
      balance: null,
    })
    expect(await shown(scene)).toBe(1)
    await scene.end()
  })

  it('shortens the key of a hardware device', async () => {
    const scene = await visit({ b: {} })
    await scene.page.evaluate(() => (window.b.answers.publicKey = 'uncompressed'))
    await scene.attempt('connect', 'walletB')
    expect((await scene.state()).publicKey).toBe(FIRST_KEY)
    await scene.end()
  })

  it.each(['reject', 'close'] as const)('ends where the user does %s', async (prompts) => {
    const scene = await visit({ b: { prompts } })
    expect(await scene.attempt('connect', 'walletB')).toEqual({
      ...failure('connect'),
      code: 'rejected',
      cause: DENIED,
    })
    expect(await scene.state()).toMatchObject({ status: 'disconnected', address: null })
    await scene.end()
  })

  it('twice at once asks once', async () => {
    const scene = await visit({ b: {} })
    await Promise.all([scene.attempt('connect', 'walletB'), scene.attempt('connect', 'walletB')])
    expect(await shown(scene)).toBe(1)
    await scene.end()
  })
})

describe('coming back to the page', () => {
  it('takes the wallet up again without a window, locked or not', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.b.lock())
    await scene.page.reload()
    await scene.becomes({ status: 'connected', address: FIRST })
    expect(await shown(scene)).toBe(0)
    await scene.end()
  })

  it('after letting go leaves it alone, though the permission is still there', async () => {
    const scene = await connected()
    await scene.attempt('disconnect')
    await scene.page.reload()
    await scene.becomes({ installed: [false, true] })
    expect(await scene.page.evaluate(() => window.b.provider.getAccount())).toMatchObject({ address: FIRST })
    expect(await scene.state()).toMatchObject({ status: 'disconnected', address: null })
    expect(await scene.attempt('connect', 'walletB')).toEqual({ resolved: null })
    expect(await shown(scene)).toBe(0)
    await scene.end()
  })
})

describe('what the user does in the wallet', () => {
  it('is followed: an account that does not know the site, and back', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.b.selectAccount(1))
    await scene.becomes({ status: 'gone', address: null, publicKey: null })
    await scene.page.evaluate(() => window.b.selectAccount(0))
    await scene.becomes({ status: 'connected', address: FIRST })
    expect(await shown(scene)).toBe(1)
    await scene.end()
  })

  it('is followed: the site is unlinked, which no event tells', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.b.forgetSite())
    await scene.becomes({ address: null })
    await scene.end()
  })

  it.each(['prompt', 'stale'] as const)('is followed: another network, the news of the address %s', async (address) => {
    const scene = await connected()
    await scene.page.evaluate((kind) => {
      window.b.answers.address = kind
      window.b.switchNetwork('testnet-10')
    }, address)
    await scene.becomes({ network: 'testnet-10', address: ON_TESTNET })
    await scene.end()
  })
})

describe('switching the network from the page', () => {
  it.each(['prompt', 'stale'] as const)('resolves with the account of that network, the news %s', async (address) => {
    const scene = await connected()
    await scene.page.evaluate((kind) => (window.b.answers.address = kind), address)
    expect(await scene.attempt('switchNetwork', 'testnet-10')).toEqual({ resolved: null })
    expect(await scene.state()).toMatchObject({ network: 'testnet-10', address: ON_TESTNET })
    await scene.end()
  })

  it('that the user declines leaves everything as it was', async () => {
    const scene = await connected()
    await answerWith(scene, 'close')
    expect(await scene.attempt('switchNetwork', 'testnet-10')).toMatchObject({ code: 'rejected', cause: DENIED })
    expect(await scene.state()).toMatchObject({ network: 'mainnet', address: FIRST })
    await scene.end()
  })

  it('is refused before the wallet is asked where it would show a broken window', async () => {
    const scene = await connected()
    expect(await scene.attempt('switchNetwork', 'testnet-12')).toMatchObject(failure('switchNetwork'))
    expect(await shown(scene)).toBe(1)
    await scene.end()
  })
})

describe('paying through walletB', () => {
  const PAID = { resolved: TRANSACTION_ID }

  it('builds the transaction first, with amounts as text, and sends that one', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => window.b.setBalance(2n ** 62n))
    expect(await scene.attempt('sendKaspa', SECOND, '9007199254740993n', { priorityFee: '7n' })).toEqual(PAID)
    const calls = await scene.page.evaluate(() => window.b.calls)
    const built = calls.find(({ method }) => method === 'buildTransaction')
    expect(JSON.stringify(built?.args)).toContain('"9007199254740993"')
    expect(calls.map(({ method }) => method)).toContain('signAndBroadcastTx')
    await scene.end()
  })

  it('by number where the version cannot build, and then no more than is exact', async () => {
    const scene = await connected({ profile: '2.36' })
    expect(await scene.attempt('sendKaspa', SECOND, '20000000n')).toEqual(PAID)
    expect(await scene.attempt('sendKaspa', SECOND, '9007199254740992n')).toMatchObject(failure('sendKaspa'))
    await scene.end()
  })

  it('refuses a payment that takes several transactions: this wallet would send the first only', async () => {
    const scene = await connected()
    await scene.page.evaluate(() => (window.b.answers.transactions = 3))
    expect(await scene.attempt('sendKaspa', SECOND, '100000000n')).toMatchObject(failure('sendKaspa'))
    expect(await shown(scene)).toBe(1)
    await scene.end()
  })

  it('refuses less than its minimum and what cannot be meant, before the wallet is asked', async () => {
    const scene = await connected()
    for (const [amount, options] of [['19999999n'], ['0n'], ['20000000n', { payload: 'abc' }]] as const) {
      expect(await scene.attempt('sendKaspa', SECOND, amount, options)).toMatchObject(failure('sendKaspa'))
    }
    expect(await shown(scene)).toBe(1)
    expect(await scene.attempt('sendKaspa', SECOND, '20000000n')).toEqual(PAID)
    await scene.end()
  })

  it.each(['reject', 'close'] as const)('ends where the user does %s', async (answer) => {
    const scene = await connected()
    await answerWith(scene, answer)
    expect(await scene.attempt('sendKaspa', SECOND, '100000000n')).toEqual({
      ...failure('sendKaspa'),
      code: 'rejected',
      cause: DENIED,
    })
    await scene.end()
  })

  it('that nobody answers in time has an unknown outcome', async () => {
    const scene = await connected({ timeout: 4_000 }) // long enough for a busy machine to connect
    await answerWith(scene, 'wait')
    expect(await scene.attempt('sendKaspa', SECOND, '100000000n')).toMatchObject({
      ...failure('sendKaspa'),
      code: 'unknown-outcome',
      cause: { message: 'Timeout' },
    })
    await scene.end()
  })
})

describe('signing with walletB', () => {
  it('gives what verifyMessage takes', async () => {
    const scene = await connected()
    const outcome = await scene.attempt('signMessage', '100% & a+b #x ?y=%20')
    const signed = (outcome as { resolved: unknown }).resolved
    expect(await scene.page.evaluate(`verify(${JSON.stringify(signed)})`)).toBe(true)
    await scene.end()
  })

  it('refuses an empty text before the wallet is asked', async () => {
    const scene = await connected()
    expect(await scene.attempt('signMessage', '')).toMatchObject(failure('signMessage'))
    expect(await shown(scene)).toBe(1)
    await scene.end()
  })

  it.each(['reject', 'close'] as const)('ends where the user does %s', async (answer) => {
    const scene = await connected()
    await answerWith(scene, answer)
    expect(await scene.attempt('signMessage', 'x')).toMatchObject({ ...failure('signMessage'), cause: DENIED })
    await scene.end()
  })
})

it('leaves no listener behind after ten rounds of connecting and letting go', async () => {
  const scene = await visit({ b: {} })
  for (let round = 0; round < 10; round++) {
    await scene.attempt('connect', 'walletB')
    await scene.attempt('disconnect')
  }
  await expect.poll(() => scene.page.evaluate(() => window.b.listeners)).toBe(0)
  await scene.end()
})
