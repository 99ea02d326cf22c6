import { describe, expect, it } from 'vitest'
import type { WalletStatus } from '../../src/streams/wallet/wallet-session.js'
import { createFakeWalletA } from '../../src/testing/wallets/wallet-a/fake.js'
import { createFakeWalletB } from '../../src/testing/wallets/wallet-b/fake.js'
import { OTHER_ADDRESS, WALLETS, advance, begin, createHarness, failure, outcome, useFakeTime } from './harness.js'

/** What the real extensions do, observed in Chromium. */

useFakeTime()

const KINDS = ['walletA', 'walletB'] as const

async function createConnected(kind: (typeof KINDS)[number]) {
  const { page, openSession } = createHarness()
  const wallet = kind === 'walletA' ? createFakeWalletA({ page }) : createFakeWalletB({ page, timeout: 180_000 })
  wallet.install()
  const session = openSession()
  await outcome(session.connect(kind))
  const seen: WalletStatus[] = []
  session.state$.subscribe(({ status }) => {
    if (seen.at(-1) !== status) seen.push(status)
  })
  return { page, wallet, session, seen }
}

describe('a lock of KasWare', () => {
  it('has an event the first time only, and is noticed within 5 s the second time', async () => {
    const { page, wallet, session, seen } = await createConnected('walletA')
    wallet.lock()
    await advance(100)
    wallet.unlock()
    page.dispatchEvent(new Event('focus'))
    await advance(100)
    expect(seen).toEqual(['connected', 'locked', 'connected'])
    const events: unknown[] = []
    wallet.provider.on('accountsChanged', (accounts: never) => events.push(accounts))
    wallet.lock()
    await advance(5_100)
    expect([events, session.state.status, seen]).toEqual([[], 'locked', ['connected', 'locked', 'connected', 'locked']])
  })

  it('is noticed at once after an operation that it fails', async () => {
    const { page, wallet, session } = await createConnected('walletA')
    wallet.lock()
    wallet.unlock()
    page.dispatchEvent(new Event('focus'))
    await advance(100)
    wallet.lock()
    wallet.failNext('signMessage', { code: 4100, message: 'Not authorized' })
    await failure(session.signMessage('x'))
    await advance(100)
    expect(session.state.status).toBe('locked')
  })

  it('that is removed without an event is noticed within 5 s', async () => {
    const { wallet, session } = await createConnected('walletA')
    wallet.lock()
    await advance(100)
    wallet.unlock()
    await advance(5_100)
    expect(session.state.status).toBe('connected')
  })
})

describe.each(KINDS)('an extension reloaded under the page: %s', (kind) => {
  it.each([
    ['sendKaspa', 'unknown-outcome'],
    ['signMessage', 'not-sent'],
  ] as const)('ends a pending %s as %s, and is disconnected', async (operation, code) => {
    const { wallet, session } = await createConnected(kind)
    wallet.prompts.respondWith('wait')
    const pending =
      operation === 'sendKaspa'
        ? begin<unknown>(session.sendKaspa(OTHER_ADDRESS, 100_000_000n))
        : begin<unknown>(session.signMessage('x'))
    await advance()
    wallet.dropAll()
    const error = await failure(pending, 30_000)
    expect(error).toMatchObject({ operation, code })
    expect(session.state).toMatchObject({ status: 'disconnected-by-wallet', address: null, pending: null, error })
  })

  it('stays connected while its prompt is open for long', async () => {
    const { wallet, session } = await createConnected(kind)
    wallet.prompts.respondWith('wait')
    const pending = begin(session.signMessage('x'))
    await advance(120_000)
    expect(session.state).toMatchObject({ status: 'connected', pending: 'signMessage' })
    wallet.prompts.open[0]?.respond('approve')
    expect(await outcome(pending)).toMatchObject({ message: 'x' })
  })

  it('is noticed without a pending operation', async () => {
    const { wallet, session } = await createConnected(kind)
    wallet.dropAll()
    await advance(30_000)
    expect(session.state.status).toBe('disconnected-by-wallet')
  })

  it('refuses calls as not sent where the page script reports it', async () => {
    const { wallet, session } = await createConnected(kind)
    const method = kind === 'walletA' ? 'sendKaspa' : 'kas:sign_and_broadcast_tx'
    wallet.failNext(method, new Error('Extension context invalidated.'))
    expect(await failure(session.sendKaspa(OTHER_ADDRESS, 100_000_000n))).toMatchObject({ code: 'not-sent' })
  })
})

describe.each(KINDS)('a payment that the node of %s rejects', (kind) => {
  const ID = '7'.repeat(64)
  const NODE = 'RPC Server (remote error) -> '

  it.each([
    [
      `${NODE}Rejected transaction ${ID}: transaction ${ID} has 100 fees which is under the required amount of 2036`,
      'fee-too-low',
    ],
    [
      `${NODE}Rejected transaction ${ID}: failed to verify the signature script: false stack entry at end of script execution`,
      'invalid-signature',
    ],
    [
      `Rejected transaction ${ID}: transaction storage mass of 510000 is larger than max allowed size of 500000`,
      'mass-exceeded',
    ],
    [`Rejected transaction ${ID}: output already spent by transaction ${ID} in the mempool`, 'double-spend'],
    [`Failed to send: Rejected transaction ${ID}: connection limit of the mempool, timeout`, 'other'],
  ])('is rejected-by-node with its reason: %s', async (message, reason) => {
    const { wallet, session } = await createConnected(kind)
    const [method, cause] =
      kind === 'walletA' ? ['sendKaspa', { code: -32603, message }] : ['kas:sign_and_broadcast_tx', new Error(message)]
    wallet.failNext(method, cause)
    const error = await failure(session.sendKaspa(OTHER_ADDRESS, 100_000_000n))
    expect(error).toMatchObject({ operation: 'sendKaspa', code: 'rejected-by-node', reason, details: message })
    expect(error.outcome).toBe('unknown') // another node may have the transaction
    expect(error.hint).toContain('Look at the transactions of the paying address first')
    // one payment of 60 outputs has too much mass, 60 payments do not
    expect(error.hint).not.toContain('larger amounts')
  })

  it('has an unknown outcome as a duplicate: the network has the transaction', async () => {
    const { wallet, session } = await createConnected(kind)
    const method = kind === 'walletA' ? 'sendKaspa' : 'kas:sign_and_broadcast_tx'
    wallet.failNext(method, new Error(`Rejected transaction ${ID}: transaction ${ID} is already in the mempool`))
    expect(await failure(session.sendKaspa(OTHER_ADDRESS, 100_000_000n))).toMatchObject({ code: 'unknown-outcome' })
  })
})

describe('the balance of Kastle', () => {
  it('is one figure, refreshed, and null before 2.47.0 or while its node is unreachable', async () => {
    const { wallet, session } = await createConnected('walletB')
    if ('setBalance' in wallet) wallet.setBalance(49_100_893_980n)
    await advance(30_100)
    expect([session.state.balance, session.state.reportedBalance]).toEqual([null, 49_100_893_980n])
    wallet.dropNext('kas:get_balance')
    await advance(45_000)
    expect([session.state.status, session.state.reportedBalance]).toEqual(['connected', null])
    const { page, openSession } = createHarness()
    WALLETS.walletB.create({ page, profile: '2.36' }).install()
    const older = openSession()
    await outcome(older.connect('walletB'), 10_000)
    expect([older.state.status, older.state.reportedBalance]).toEqual(['connected', null])
  })
})
