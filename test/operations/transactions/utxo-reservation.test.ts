import { NEVER, distinctUntilChanged, map, startWith } from 'rxjs'
import { describe, it } from 'vitest'
import { createUtxoReservation, type UtxoReservation } from '../../../src/operations/transactions/submit/held-utxos.js'
import { createUnconfirmed } from '../../../src/streams/utxos/unconfirmed/unconfirmed.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'
import { KAS, utxo } from './accounts.js'

type Context = Parameters<Parameters<typeof marbles>[0]>[0]

/** The reservation of one UTXO in virtual time, and the number of reserved UTXOs. */
function createHarness({ scheduler }: Context) {
  const unconfirmed = createUnconfirmed({
    network$: NEVER,
    ended$: NEVER,
    platform: createTestPlatform({ scheduler }),
  })
  const reservation: UtxoReservation = createUtxoReservation(unconfirmed, {
    id: 'ab'.repeat(32),
    inputs: [utxo(KAS)],
    outputs: [],
  })
  const reservedCount$ = unconfirmed.changed$.pipe(
    startWith(undefined),
    map(() => (unconfirmed.isReserved(utxo(KAS).outpoint) ? '1' : '0')),
    distinctUntilChanged(),
  )
  return { reservation, reservedCount$ }
}

describe('the UTXO reservation of a transaction', () => {
  it(
    'expires one minute after the last reserve(), without a gap',
    marbles((m) => {
      const { reservation, reservedCount$ } = createHarness(m)
      m.hot('-t 39999ms t').subscribe(reservation.reserve)
      m.expect(reservedCount$).toBeObservable('01 99999ms 0')
    }),
  )

  it(
    'is renewed by reserve() after it has expired',
    marbles((m) => {
      const { reservation, reservedCount$ } = createHarness(m)
      m.hot('-t 69999ms t').subscribe(reservation.reserve)
      m.expect(reservedCount$, '^ 80s !').toBeObservable('01 59999ms 0 9999ms 1')
    }),
  )

  it(
    'ends with one release() after several reserve() calls',
    marbles((m) => {
      const { reservation, reservedCount$ } = createHarness(m)
      m.hot('-t-t').subscribe(reservation.reserve)
      m.hot('-----d').subscribe(reservation.release)
      m.expect(reservedCount$).toBeObservable('01---0')
    }),
  )

  it(
    'does not expire between hold() and reserve()',
    marbles((m) => {
      const { reservation, reservedCount$ } = createHarness(m)
      m.hot('-t').subscribe(() => reservation.hold())
      m.hot('- 299999ms t').subscribe(reservation.reserve)
      m.expect(reservedCount$, '^ 500s !').toBeObservable('01 359998ms 0')
    }),
  )

  it(
    'expires after the timeout of hold()',
    marbles((m) => {
      const { reservation, reservedCount$ } = createHarness(m)
      m.hot('-t').subscribe(() => reservation.hold(600_000))
      m.expect(reservedCount$, '^ 700s !').toBeObservable('01 599999ms 0')
    }),
  )
})
