import { NEVER, Subscription, distinctUntilChanged, map, startWith, type Observable, type SchedulerLike } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ChainNetwork } from '../../../../src/model/network.js'
import { createUnconfirmed, type Unconfirmed } from '../../../../src/streams/utxos/unconfirmed/unconfirmed.js'
import { createTestPlatform } from '../../../../src/testing/platform.js'
import { marbles } from '../../../marbles.js'
import { ALICE, payment, utxo } from '../utxo-fixtures.js'

type Context = Parameters<Parameters<typeof marbles>[0]>[0]

/** Time that does not pass. A virtual scheduler sorts all of its timers with each new one. */
const STOPPED: SchedulerLike = { now: () => 0, schedule: () => Subscription.EMPTY }

/** Own payments in virtual time. */
const createHarness = (
  { scheduler }: Context,
  ended$: Observable<void> = NEVER,
  network$: Observable<ChainNetwork> = NEVER,
): Unconfirmed => createUnconfirmed({ network$, ended$, platform: createTestPlatform({ scheduler }) })

/** Reserves the numbered UTXOs for payment `n` on each emission of `reserve$`, and releases them on `release$`. */
function pay(
  unconfirmed: Unconfirmed,
  n: number,
  numbers: readonly number[],
  reserve$: Observable<string>,
  release$: Observable<string> = NEVER,
): void {
  let release = (): void => undefined
  const spends = numbers.map((number) => utxo(number))
  reserve$.subscribe(() => (release = unconfirmed.reserve(payment(n, { spends, pays: [[ALICE, 1n]] }))))
  release$.subscribe(() => release())
}

/** The numbers of the reserved UTXOs. */
const reservedNumbers$ = ({ changed$, isReserved }: Unconfirmed): Observable<string> =>
  changed$.pipe(
    startWith(undefined),
    map(() => [1, 2, 3].filter((number) => isReserved(utxo(number).outpoint)).join('')),
    distinctUntilChanged(),
  )

const SETS = { n: '', a: '1', b: '12', c: '123', d: '2' }

describe('reservations of a payment', () => {
  it(
    'stay until released; a second release has no effect',
    marbles((m) => {
      const unconfirmed = createHarness(m)
      pay(unconfirmed, 50, [1, 2], m.hot('-t'), m.hot('---g-g'))
      m.expect(reservedNumbers$(unconfirmed)).toBeObservable('nb-n', SETS)
    }),
  )

  it(
    'expire after a minute without a sign of the payment',
    marbles((m) => {
      const unconfirmed = createHarness(m)
      pay(unconfirmed, 50, [1, 2], m.hot('-t'))
      m.expect(reservedNumbers$(unconfirmed)).toBeObservable('nb 59999ms n', SETS)
    }),
  )

  it(
    'stay until both payments that reserved the UTXO have released it',
    marbles((m) => {
      const unconfirmed = createHarness(m)
      pay(unconfirmed, 50, [1], m.hot('-t'), m.hot('-------g'))
      pay(unconfirmed, 51, [1, 2], m.hot('---t'), m.hot('-----g'))
      m.expect(reservedNumbers$(unconfirmed)).toBeObservable('na-b-a-n', SETS)
    }),
  )

  it(
    'of one payment end with the last of those who have reserved it',
    marbles((m) => {
      const unconfirmed = createHarness(m)
      pay(unconfirmed, 50, [1], m.hot('-t'), m.hot('-------g'))
      pay(unconfirmed, 50, [1], m.hot('---t'), m.hot('-----g'))
      m.expect(reservedNumbers$(unconfirmed)).toBeObservable('na-----n', SETS)
    }),
  )

  it(
    'of one payment expire one by one',
    marbles((m) => {
      const unconfirmed = createHarness(m)
      pay(unconfirmed, 50, [1], m.hot('-t'))
      unconfirmed.reserve(payment(50, { spends: [utxo(1)] }), Infinity)()
      m.hot('-t').subscribe(() => unconfirmed.reserve(payment(50, { spends: [utxo(1)] }), 90_000))
      m.expect(reservedNumbers$(unconfirmed)).toBeObservable('na 89999ms n', SETS)
    }),
  )

  it(
    'of an accepted payment are remembered when those who have reserved it release it',
    marbles((m) => {
      const unconfirmed = createHarness(m)
      pay(unconfirmed, 50, [1], m.hot('-t'), m.hot('---g'))
      m.hot('--s').subscribe(() => unconfirmed.dispatch(payment(50).id, { type: 'settled' }))
      m.expect(reservedNumbers$(unconfirmed)).toBeObservable('na 600s n', SETS)
    }),
  )

  it(
    'are remembered for ten minutes after the acceptance',
    marbles((m) => {
      const unconfirmed = createHarness(m)
      pay(unconfirmed, 50, [1], m.hot('-t'))
      m.hot('--s').subscribe(() => unconfirmed.dispatch(payment(50).id, { type: 'settled' }))
      m.expect(reservedNumbers$(unconfirmed)).toBeObservable('na 600s n', SETS)
    }),
  )

  it(
    'stay after a revert, until the payment is accepted again',
    marbles((m) => {
      const unconfirmed = createHarness(m)
      const { id } = payment(50)
      pay(unconfirmed, 50, [1], m.hot('-t'))
      m.hot('--s').subscribe(() => unconfirmed.dispatch(id, { type: 'settled' }))
      m.hot('3s u').subscribe(() => unconfirmed.dispatch(id, { type: 'unspent' }))
      m.hot('3000s s').subscribe(() => unconfirmed.dispatch(id, { type: 'settled' }))
      m.expect(reservedNumbers$(unconfirmed)).toBeObservable('na 3599998ms n', SETS)
    }),
  )

  it(
    'end with a replacement of the payment',
    marbles((m) => {
      const unconfirmed = createHarness(m)
      pay(unconfirmed, 50, [1, 2], m.hot('-t'))
      m.hot('---r').subscribe(() => unconfirmed.replaced(payment(50).id))
      m.expect(reservedNumbers$(unconfirmed)).toBeObservable('nb-n', SETS)
    }),
  )

  it(
    'end with a change of the network',
    marbles((m) => {
      const unconfirmed = createHarness(m, NEVER, m.hot<ChainNetwork>('a--b', { a: 'simnet', b: 'devnet' }))
      pay(unconfirmed, 50, [1, 2], m.hot('-t'))
      m.expect(reservedNumbers$(unconfirmed)).toBeObservable('nb-n', SETS)
    }),
  )

  it(
    'leave no timer behind when the engine is disposed',
    marbles((m) => {
      const unconfirmed = createHarness(m, m.hot('--(e|)').pipe(map(() => undefined)))
      pay(unconfirmed, 50, [1], m.hot('-t'))
      pay(unconfirmed, 51, [2], m.hot('----t'))
      m.expect(reservedNumbers$(unconfirmed), '^ 70s !').toBeObservable('na--b', SETS)
    }),
  )

  it('of accepted payments are dropped, oldest first, beyond 10,000', () => {
    const platform = createTestPlatform({ scheduler: STOPPED })
    const unconfirmed = createUnconfirmed({ network$: NEVER, ended$: NEVER, platform })
    for (let n = 1; n <= 10_001; n++) {
      unconfirmed.reserve(payment(100_000 + n, { spends: [utxo(n)] }))
      unconfirmed.dispatch(payment(100_000 + n).id, { type: 'settled' })
    }
    expect([1, 2].map((n) => unconfirmed.isReserved(utxo(n).outpoint))).toEqual([false, true])
  })
})
