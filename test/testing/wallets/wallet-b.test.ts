import { describe, expect, it, vi } from 'vitest'
import { createTestPage } from '../../../src/testing/wallets/test-page.js'
import { createFakeWalletB, type FakeWalletBOptions } from '../../../src/testing/wallets/wallet-b/fake.js'
import { expectedOf, outcomeOf, recordedCalls } from './recording.js'

const CONNECTED = { permissions: ['0@localhost'] }
const ADDRESS = 'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh'
const OTHER = 'kaspa:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukvgpgq6pcp'

/** One that is in its page already, unless a test says otherwise. */
function create(options: FakeWalletBOptions = {}) {
  const wallet = createFakeWalletB({ latency: 0, arrival: { order: 'event first', gap: 0 }, ...options })
  wallet.install()
  return wallet
}

describe('the fake Kastle answers as the real one was heard to', () => {
  const states = [
    { step: 'no wallet created', state: { status: 'empty' } },
    { step: 'unlocked, not connected', state: {} },
    { step: 'unlocked, connected', state: CONNECTED },
    { step: 'locked, connected', state: { ...CONNECTED, status: 'locked' } },
    { step: 'locked by the user, connected', state: { ...CONNECTED, status: 'locked' } },
    { step: 'selected account not connected', state: { ...CONNECTED, account: 1 } },
  ] as const
  /** What depends on the money that the recorded account had, and on a library's rounding. */
  const INCOMPARABLE = ['getBalance', 'getUtxoEntries', 'buildTransaction', 'compoundUtxos']
  const cases = states.flatMap(({ step, state }) =>
    recordedCalls('walletB', [step])
      .filter(({ method, resolved }) => method !== 'compoundUtxos' && !(resolved && INCOMPARABLE.includes(method)))
      .map((call) => ({ ...call, state })),
  )

  it.each(cases)('$step: $method($args)', async ({ state, ...call }) => {
    expect(await outcomeOf(create({ state }).provider, call)).toEqual(expectedOf(call))
  })

  it('was asked enough', () => {
    expect(cases.length).toBeGreaterThan(40)
  })
})

describe('a connection', () => {
  it('is of one account: another one has to be let in by itself', async () => {
    const wallet = create()
    expect(await wallet.provider.connect()).toBe(true)
    wallet.selectAccount(1)
    await expect(wallet.provider.getAccount()).rejects.toThrow('Host not connected')
    wallet.selectAccount(0)
    expect(await wallet.provider.getAccount()).toMatchObject({ address: ADDRESS })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('is told by a message after its promise, and by no event', async () => {
    const page = createTestPage()
    const wallet = create({ page })
    const told = listen(wallet.provider)
    const messages = listenToMessages(page)
    await wallet.provider.connect()
    expect(messages()).toEqual([])
    await expect.poll(() => messages()).toEqual([['kas:host_connected', true]])
    expect(told).toEqual([])
  })

  it('is told by events where it is the first of a profile', async () => {
    const wallet = create()
    wallet.answers.settings = 'fresh'
    const told = listen(wallet.provider)
    await wallet.provider.connect()
    await expect
      .poll(() => told)
      .toEqual([
        ['networkChanged', 'mainnet'],
        ['accountsChanged', [ADDRESS]],
      ])
  })

  it('is not ended by the page', async () => {
    const { provider } = create({ state: CONNECTED })
    await provider.disconnect()
    expect(await provider.getAccount()).toMatchObject({ address: ADDRESS })
  })

  it('is ended by the user without an event', async () => {
    const page = createTestPage()
    const wallet = create({ page, state: CONNECTED })
    const told = listen(wallet.provider)
    const messages = listenToMessages(page)
    wallet.forgetSite()
    await expect.poll(() => messages()).toEqual([['kas:host_connected', false]])
    expect(told).toEqual([])
  })

  it.each(['reject', 'close'] as const)('is denied in words when the user does %s', async (prompts) => {
    await expect(create({ prompts }).provider.connect()).rejects.toThrow(new Error('User denied'))
  })
})

describe('calls before its other half is there', () => {
  it('are lost', async () => {
    const wallet = createFakeWalletB({ timeout: 20, latency: 0, arrival: { order: 'object first', gap: 60_000 } })
    wallet.install()
    await expect(wallet.provider.getNetwork()).rejects.toThrow('Timeout')
  })

  it('cannot be made where the event comes before the object', async () => {
    const page = createTestPage()
    const seen = vi.fn(() => Reflect.get(page, 'kastle') as unknown)
    page.addEventListener('kastle#initialized', seen)
    const wallet = createFakeWalletB({ page, arrival: { order: 'event first', gap: 1 } })
    wallet.install()
    expect(seen).toHaveReturnedWith(undefined)
    await expect.poll(() => Reflect.get(page, 'kastle')).toBe(wallet.provider)
  })
})

describe('a change of network', () => {
  it('is told first, and the address after the promise', async () => {
    const wallet = create({ state: CONNECTED })
    const told = listen(wallet.provider)
    expect(await wallet.provider.switchNetwork('testnet-10')).toBe('testnet-10')
    expect(told.filter(([event]) => event === 'accountsChanged')).toEqual([])
    await expect
      .poll(() => told)
      .toEqual([
        ['networkChanged', 'testnet-10'],
        ['accountsChanged', ['kaspatest:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9ssxd5s7gn']],
      ])
  })

  it('may be told with an address that still has the old prefix', async () => {
    const wallet = create({ state: CONNECTED })
    wallet.answers.address = 'stale'
    const told = listen(wallet.provider)
    await wallet.provider.switchNetwork('testnet-10')
    await expect.poll(() => told).toContainEqual(['accountsChanged', [ADDRESS]])
    await expect
      .poll(() => wallet.provider.getAccount())
      .toMatchObject({ address: expect.stringMatching(/^kaspatest:/) as string })
  })

  it('to one that it does not know ends in a window that can only be closed', async () => {
    await expect(create({ state: CONNECTED }).provider.switchNetwork('testnet-11')).rejects.toThrow('User denied')
  })
})

describe('a payment', () => {
  it('may be a bigint nowhere: the page refuses it, or nobody ever answers', async () => {
    const wallet = create({ state: CONNECTED, timeout: 30 })
    await expect(wallet.provider.sendKaspa(OTHER, 20_000_000n)).rejects.toMatchObject({ name: 'ZodError' })
    await expect(wallet.provider.buildTransaction([{ address: OTHER, amount: 20_000_000n }])).rejects.toThrow('Timeout')
    expect(wallet.bigints).toEqual(['sendKaspa[1]', 'buildTransaction[0].0.amount'])
  })

  it('that was built is the one that is sent', async () => {
    const { provider } = create({ state: CONNECTED })
    const built = await provider.buildTransaction([{ address: OTHER, amount: '20000000' }], { payload: 'beef' })
    const { networkId, transactions } = built as { networkId: string; transactions: { txJson: string; id: string }[] }
    expect(networkId).toBe('mainnet')
    expect(await provider.signAndBroadcastTx(networkId, transactions[0]!.txJson)).toBe(transactions[0]!.id)
  })

  it('of many small coins pays nobody in 2.59, and is refused later', async () => {
    const old = create({ state: CONNECTED })
    const next = create({ state: CONNECTED, profile: 'next' })
    old.answers.transactions = next.answers.transactions = 3
    expect(await old.provider.sendKaspa(OTHER, 20_000_000)).toMatch(/^[0-9a-f]{64}$/)
    await expect(next.provider.sendKaspa(OTHER, 20_000_000)).rejects.toEqual({ code: 4300, message: 'BATCH_REQUIRED' })
  })
})

it('opens a window for each question, and each is answered by itself', async () => {
  const wallet = create({ state: CONNECTED, prompts: 'wait' })
  const answers = [wallet.provider.signMessage('one'), wallet.provider.signMessage('two')]
  await expect.poll(() => wallet.prompts.open).toHaveLength(2)
  wallet.prompts.open[1]!.answer('approve')
  expect(await answers[1]).toMatch(/^[0-9a-f]{128}$/)
  wallet.prompts.open[0]!.answer('close')
  await expect(answers[0]).rejects.toThrow('User denied')
})

describe('its methods', () => {
  it('fail without their receiver', async () => {
    const { provider } = create()
    const detached = (name: string): unknown =>
      Reflect.apply(Reflect.get(provider, name) as () => unknown, undefined, [])
    expect(() => detached('on')).toThrow(TypeError)
    await expect(detached('getNetwork')).rejects.toThrow(TypeError)
  })

  it('are fewer in older versions', () => {
    const { provider } = create({ profile: '2.36' })
    expect([typeof provider.on, typeof provider.getNetwork, typeof provider.sendKaspa]).toEqual([
      'undefined',
      'undefined',
      'function',
    ])
  })
})

function listen(provider: ReturnType<typeof create>['provider']): [string, unknown][] {
  const told: [string, unknown][] = []
  for (const event of ['accountsChanged', 'networkChanged']) {
    provider.on(event, (payload: unknown) => void told.push([event, payload]))
  }
  return told
}

/** The messages for pages that speak of Kaspa, the EVM side's left out. */
function listenToMessages(page: ReturnType<typeof createTestPage>): () => [string, unknown][] {
  const heard: [string, unknown][] = []
  page.addEventListener('message', (event) => {
    const { id, response } = (event as MessageEvent<{ id: string; response: unknown }>).data
    if (id.startsWith('kas:')) heard.push([id, response])
  })
  return () => heard
}
