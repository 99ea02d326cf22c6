import { describe, expect, it, vi } from 'vitest'
import { createTestPage } from '../../../src/testing/wallets/page.js'
import { createFakeWalletB, type FakeWalletBOptions } from '../../../src/testing/wallets/wallet-b/fake.js'
import { LIMIT } from '../../limits.js'
import { expectedOf, outcomeOf, recordedCalls } from './recording.js'

const CONNECTED = { permissions: ['0@localhost'] }
const ADDRESS = 'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh'
const OTHER = 'kaspa:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukvgpgq6pcp'

/** A wallet that is already injected by default, and whose calls wait as long as a test may take. */
function create(options: FakeWalletBOptions = {}) {
  const arrival = { order: 'event first', gap: 0 } as const
  const wallet = createFakeWalletB({ timeout: LIMIT, latency: 0, arrival, ...options })
  wallet.install()
  return wallet
}

describe('the fake Kastle responds like the recorded one', () => {
  const states = [
    { step: 'no wallet created', state: { status: 'empty' } },
    { step: 'unlocked, not connected', state: {} },
    { step: 'unlocked, connected', state: CONNECTED },
    { step: 'locked, connected', state: { ...CONNECTED, status: 'locked' } },
    { step: 'locked by the user, connected', state: { ...CONNECTED, status: 'locked' } },
    { step: 'selected account not connected', state: { ...CONNECTED, account: 1 } },
  ] as const
  /** Methods that depend on the recorded account's funds and on a library's rounding. */
  const INCOMPARABLE = ['getBalance', 'getUtxoEntries', 'buildTransaction', 'compoundUtxos']
  const cases = states.flatMap(({ step, state }) =>
    recordedCalls('walletB', [step])
      .filter(({ method, resolved }) => method !== 'compoundUtxos' && !(resolved && INCOMPARABLE.includes(method)))
      .map((call) => ({ ...call, state })),
  )

  it.each(cases)('$step: $method($args)', async ({ state, ...call }) => {
    expect(await outcomeOf(create({ state }).provider, call)).toEqual(expectedOf(call))
  })

  it('covers enough recorded calls', () => {
    expect(cases.length).toBeGreaterThan(40)
  })
})

describe('a connection', () => {
  it('permits one account', async () => {
    const wallet = create()
    expect(await wallet.provider.connect()).toBe(true)
    wallet.selectAccount(1)
    await expect(wallet.provider.getAccount()).rejects.toThrow('Host not connected')
    wallet.selectAccount(0)
    expect(await wallet.provider.getAccount()).toMatchObject({ address: ADDRESS })
    expect(wallet.prompts.shown).toBe(1)
  })

  it('posts a message after its promise and emits no event', async () => {
    const page = createTestPage()
    const wallet = create({ page })
    const events = recordEvents(wallet.provider)
    const messages = recordMessages(page)
    await wallet.provider.connect()
    expect(messages()).toEqual([])
    await expect.poll(() => messages()).toEqual([['kas:host_connected', true]])
    expect(events).toEqual([])
  })

  it('emits events on the first connect of a profile', async () => {
    const wallet = create()
    wallet.behavior.settings = 'fresh'
    const events = recordEvents(wallet.provider)
    await wallet.provider.connect()
    await expect
      .poll(() => events)
      .toEqual([
        ['networkChanged', 'mainnet'],
        ['accountsChanged', [ADDRESS]],
      ])
  })

  it('is not ended by disconnect()', async () => {
    const { provider } = create({ state: CONNECTED })
    await provider.disconnect()
    expect(await provider.getAccount()).toMatchObject({ address: ADDRESS })
  })

  it('is ended by the user without an event', async () => {
    const page = createTestPage()
    const wallet = create({ page, state: CONNECTED })
    const events = recordEvents(wallet.provider)
    const messages = recordMessages(page)
    wallet.forgetSite()
    await expect.poll(() => messages()).toEqual([['kas:host_connected', false]])
    expect(events).toEqual([])
  })

  it.each(['reject', 'close'] as const)('rejects with a message when the user does %s', async (prompts) => {
    await expect(create({ prompts }).provider.connect()).rejects.toThrow(new Error('User denied'))
  })
})

describe('calls before the relay is ready', () => {
  it('are dropped', async () => {
    const wallet = createFakeWalletB({ timeout: 20, latency: 0, arrival: { order: 'object first', gap: 60_000 } })
    wallet.install()
    await expect(wallet.provider.getNetwork()).rejects.toThrow('Timeout')
  })

  it('are impossible if the event precedes the object', async () => {
    const page = createTestPage()
    const onInitialized = vi.fn(() => Reflect.get(page, 'kastle') as unknown)
    page.addEventListener('kastle#initialized', onInitialized)
    const wallet = createFakeWalletB({ page, arrival: { order: 'event first', gap: 1 } })
    wallet.install()
    expect(onInitialized).toHaveReturnedWith(undefined)
    await expect.poll(() => Reflect.get(page, 'kastle')).toBe(wallet.provider)
  })
})

describe('a change of network', () => {
  it('is emitted first, and the address after the promise', async () => {
    const wallet = create({ state: CONNECTED })
    const events = recordEvents(wallet.provider)
    expect(await wallet.provider.switchNetwork('testnet-10')).toBe('testnet-10')
    expect(events.filter(([event]) => event === 'accountsChanged')).toEqual([])
    await expect
      .poll(() => events)
      .toEqual([
        ['networkChanged', 'testnet-10'],
        ['accountsChanged', ['kaspatest:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9ssxd5s7gn']],
      ])
  })

  it('can keep the address with the old prefix until `updateAddress`', async () => {
    const wallet = create({ state: CONNECTED })
    wallet.behavior.address = 'stale'
    const events = recordEvents(wallet.provider)
    await wallet.provider.switchNetwork('testnet-10')
    await expect.poll(() => events).toContainEqual(['accountsChanged', [ADDRESS]])
    expect(await wallet.provider.getNetwork()).toBe('testnet-10')
    expect(await wallet.provider.getAccount()).toMatchObject({ address: ADDRESS })
    wallet.updateAddress()
    expect(await wallet.provider.getAccount()).toMatchObject({
      address: expect.stringMatching(/^kaspatest:/) as string,
    })
  })

  it('to an unknown network opens a window that the user can only close', async () => {
    await expect(create({ state: CONNECTED }).provider.switchNetwork('testnet-11')).rejects.toThrow('User denied')
  })
})

describe('a payment', () => {
  it('rejects a bigint in the page script, or never settles', async () => {
    const wallet = create({ state: CONNECTED, timeout: 30 })
    await expect(wallet.provider.sendKaspa(OTHER, 20_000_000n)).rejects.toMatchObject({ name: 'ZodError' })
    await expect(wallet.provider.buildTransaction([{ address: OTHER, amount: 20_000_000n }])).rejects.toThrow('Timeout')
    expect(wallet.bigints).toEqual(['sendKaspa[1]', 'buildTransaction[0].0.amount'])
  })

  it('sends the transaction that was built', async () => {
    const { provider } = create({ state: CONNECTED })
    const built = await provider.buildTransaction([{ address: OTHER, amount: '20000000' }], { payload: 'beef' })
    const { networkId, transactions } = built as { networkId: string; transactions: { txJson: string; id: string }[] }
    expect(networkId).toBe('mainnet')
    expect(await provider.signAndBroadcastTx(networkId, transactions[0]!.txJson)).toBe(transactions[0]!.id)
  })

  it('of many small UTXOs does not pay the recipient in 2.59, and is rejected in later versions', async () => {
    const old = create({ state: CONNECTED })
    const next = create({ state: CONNECTED, profile: 'next' })
    old.behavior.transactions = next.behavior.transactions = 3
    expect(await old.provider.sendKaspa(OTHER, 20_000_000)).toMatch(/^[0-9a-f]{64}$/)
    await expect(next.provider.sendKaspa(OTHER, 20_000_000)).rejects.toEqual({ code: 4300, message: 'BATCH_REQUIRED' })
  })
})

it('opens one prompt per request, each with its own response', async () => {
  const wallet = create({ state: CONNECTED, prompts: 'wait' })
  const results = [wallet.provider.signMessage('one'), wallet.provider.signMessage('two')]
  await expect.poll(() => wallet.prompts.open).toHaveLength(2)
  wallet.prompts.open[1]!.respond('approve')
  expect(await results[1]).toMatch(/^[0-9a-f]{128}$/)
  wallet.prompts.open[0]!.respond('close')
  await expect(results[0]).rejects.toThrow('User denied')
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

function recordEvents(provider: ReturnType<typeof create>['provider']): [string, unknown][] {
  const events: [string, unknown][] = []
  for (const event of ['accountsChanged', 'networkChanged']) {
    provider.on(event, (payload: unknown) => void events.push([event, payload]))
  }
  return events
}

/** The messages of the Kaspa provider, without those of the EVM provider. */
function recordMessages(page: ReturnType<typeof createTestPage>): () => [string, unknown][] {
  const messages: [string, unknown][] = []
  page.addEventListener('message', (event) => {
    const { id, response } = (event as MessageEvent<{ id: string; response: unknown }>).data
    if (id.startsWith('kas:')) messages.push([id, response])
  })
  return () => messages
}
