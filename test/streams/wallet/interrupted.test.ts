import { NEVER, Subject, asyncScheduler, of, throwError, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainWalletError, unknownOutcome } from '../../../src/errors/wallet-error.js'
import { createWalletSession } from '../../../src/streams/wallet/create-session.js'
import { keepInterrupted, type InterruptedPayment, type SeenPayment } from '../../../src/streams/wallet/interrupted.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import type { Wallet } from '../../../src/wallets/port.js'
import { ANNA, BERT, present, scriptedWallet } from './harness.js'

const KEY = 'vue-chain:wallet-payments'
const AMOUNT = 150_000_000n
const ID = 'ab'.repeat(32)

/** A session that is connected to a wallet, and the next page of the same tab. */
async function createTab(
  send: Wallet['send'],
  seenPayments$: (payments: readonly InterruptedPayment[]) => Observable<SeenPayment> = () => NEVER,
) {
  const platform = createTestPlatform({ scheduler: asyncScheduler })
  const openPage = () => createWalletSession({ wallets: present(scriptedWallet({ send })), platform, seenPayments$ })
  const session = openPage()
  await session.connect('walletA')
  return { platform, session, openPage }
}

const listed = { wallet: 'walletA', from: ANNA.address, outputs: [{ address: BERT.address, amount: AMOUNT }] }

describe('a payment with an open prompt', () => {
  it('is kept for the tab, and listed by the next page only', async () => {
    const { session, openPage, platform } = await createTab(() => NEVER)
    session.sendKaspa(BERT.address, AMOUNT).catch(() => undefined)
    await expect.poll(() => platform.tabStorage.get(KEY)).not.toBeNull()
    expect(session.state.interrupted).toEqual([])
    const next = openPage()
    expect(next.state.interrupted).toMatchObject([listed])
    next.dismissInterrupted(next.state.interrupted[0]?.id ?? '')
    expect(next.state.interrupted).toEqual([])
    expect(platform.tabStorage.get(KEY)).toBeNull()
    next.dispose()
    session.dispose()
  })

  it('is listed at once where it was aborted', async () => {
    const { session, platform } = await createTab(() => NEVER)
    const paying = session.sendKaspa(BERT.address, AMOUNT).catch((error: unknown) => error)
    await expect.poll(() => platform.tabStorage.get(KEY)).not.toBeNull()
    session.abort()
    expect(await paying).toMatchObject({ code: 'unknown-outcome' })
    expect(session.state.interrupted).toMatchObject([listed])
    session.dispose()
  })
})

describe('the end of a payment', () => {
  const rejected = new ChainWalletError('sendKaspa', new Error('User rejected'), { code: 'rejected' })

  it.each([
    ['an id', () => of(ID), 0],
    ['a refusal', () => throwError(() => rejected), 0],
    ['an unknown outcome', () => throwError(() => unknownOutcome('sendKaspa', new Error('Timeout'))), 1],
    ['an error that no wallet module created', () => throwError(() => new Error('?')), 1],
  ] as const)('%s', async (_, send, count) => {
    const { session, openPage } = await createTab(send)
    await session.sendKaspa(BERT.address, AMOUNT).catch(() => undefined)
    expect(session.state.interrupted).toHaveLength(count)
    const next = openPage()
    expect(next.state.interrupted).toHaveLength(count)
    next.dispose()
    session.dispose()
  })

  it('is that it was seen, but not while another payment is open', async () => {
    const results = [new Subject<string>(), new Subject<string>()]
    const looks: number[] = []
    const seen$ = new Subject<SeenPayment>()
    const { session } = await createTab(
      () => results.shift() ?? NEVER,
      (payments) => {
        looks.push(payments.length)
        return seen$
      },
    )
    const [first, second] = results
    const paying = session.sendKaspa(BERT.address, AMOUNT).catch(() => undefined)
    await expect.poll(() => first?.observed).toBe(true)
    first?.error(new Error('Internal JSON-RPC error.'))
    await paying
    const [payment] = session.state.interrupted
    const again = session.sendKaspa(BERT.address, AMOUNT)
    await expect.poll(() => second?.observed).toBe(true)
    expect(seen$.observed).toBe(false)
    second?.next(ID)
    await again
    expect(looks).toEqual([1, 1])
    seen$.next({ id: payment?.id ?? '', transactionId: 'cd'.repeat(32) })
    expect(session.state.interrupted).toEqual([])
    session.dispose()
  })
})

describe('the kept payments', () => {
  const stored = {
    id: '1',
    wallet: 'walletA',
    from: ANNA.address,
    startedAt: 5,
    outputs: [{ address: BERT.address, amount: '7' }],
  }

  it.each([
    ['not JSON', '{', 0],
    ['no list', '{"payments":{}}', 0],
    ['a payment', JSON.stringify({ payments: [stored] }), 1],
    ['an invalid address', JSON.stringify({ payments: [{ ...stored, from: 'kaspa:x' }] }), 0],
    [
      'an amount that is a number',
      JSON.stringify({ payments: [{ ...stored, outputs: [{ address: BERT.address, amount: 7 }] }] }),
      0,
    ],
    ['no output', JSON.stringify({ payments: [{ ...stored, outputs: [] }] }), 0],
  ])('are read from the storage: %s', (_, text, count) => {
    const platform = createTestPlatform({ scheduler: asyncScheduler })
    platform.tabStorage.set(KEY, text)
    let current: readonly InterruptedPayment[] = []
    keepInterrupted(platform).interrupted$.subscribe((payments) => (current = payments))
    expect(current).toHaveLength(count)
  })

  it('know the transactions of other payments after a reload', async () => {
    const { session, platform } = await createTab(() => of(ID))
    platform.tabStorage.set(KEY, JSON.stringify({ payments: [stored] }))
    const page = keepInterrupted(platform)
    page.during(listed, () => of(ID)).subscribe()
    expect(keepInterrupted(platform).isTaken(ID)).toBe(true)
    session.dispose()
  })
})
