import { NEVER, map, type Observable } from 'rxjs'
import { describe, it } from 'vitest'
import { toOutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import { toEvent, type ChainEvent } from '../../../src/streams/session/events.js'
import { createReservations, type Reservations } from '../../../src/streams/utxos/reservations.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'
import { utxo } from './utxo-fixtures.js'

type Context = Parameters<Parameters<typeof marbles>[0]>[0]

/** Reservations in virtual time. */
const createHarness = (
  { scheduler }: Context,
  received$: Observable<ChainEvent> = NEVER,
  ended$: Observable<void> = NEVER,
): Reservations => createReservations({ received$, ended$, platform: createTestPlatform({ scheduler }) })

/** Reserves the numbered UTXOs on each emission of `reserve$`, and releases them on `release$`. */
function pay(
  reservations: Reservations,
  numbers: readonly number[],
  reserve$: Observable<string>,
  release$: Observable<string> = NEVER,
): void {
  let release = (): void => undefined
  reserve$.subscribe(() => (release = reservations.reserve(numbers.map((number) => utxo(number).outpoint))))
  release$.subscribe(() => release())
}

/** The numbers of the reserved UTXOs. */
const reservedNumbers$ = ({ reserved$ }: Reservations): Observable<string> =>
  reserved$.pipe(
    map((reserved) => [1, 2, 3].filter((number) => reserved.has(toOutpointKey(utxo(number).outpoint))).join('')),
  )

const changed = (removed: readonly UtxoEntry[], added: readonly UtxoEntry[] = []): ChainEvent =>
  toEvent({ type: 'utxos-changed', data: { removed: [...removed], added: [...added] } }, 0)

const SETS = { n: '', a: '1', b: '12', c: '123', d: '2' }

describe('reservations of a payment', () => {
  it(
    'stay until released; a second release has no effect',
    marbles((m) => {
      const reservations = createHarness(m)
      pay(reservations, [1, 2], m.hot('-t'), m.hot('---g-g'))
      m.expect(reservedNumbers$(reservations)).toBeObservable('nb-n', SETS)
    }),
  )

  it(
    'expire after a minute',
    marbles((m) => {
      const reservations = createHarness(m)
      pay(reservations, [1, 2], m.hot('-t'))
      m.expect(reservedNumbers$(reservations)).toBeObservable('nb 59999ms n', SETS)
    }),
  )

  it(
    'end when the node reports the UTXO as spent, but not when only its DAA score changes',
    marbles((m) => {
      const events = { s: changed([utxo(1)]), u: changed([utxo(2)], [utxo(2)]), v: changed([utxo(2), utxo(3)]) }
      const reservations = createHarness(m, m.hot('---s-u-v', events))
      pay(reservations, [1, 2], m.hot('-t'))
      m.expect(reservedNumbers$(reservations)).toBeObservable('nb-d---n', SETS)
    }),
  )

  it(
    'stay until both payments that reserved the UTXO have released it',
    marbles((m) => {
      const reservations = createHarness(m)
      pay(reservations, [1], m.hot('-t'), m.hot('-------g'))
      pay(reservations, [1, 2], m.hot('---t'), m.hot('-----g'))
      m.expect(reservedNumbers$(reservations)).toBeObservable('na-b-a-n', SETS)
    }),
  )

  it(
    'leave no timer behind when the engine is disposed',
    marbles((m) => {
      const reservations = createHarness(m, NEVER, m.hot('--(e|)').pipe(map(() => undefined)))
      pay(reservations, [1], m.hot('-t'))
      m.expect(reservedNumbers$(reservations), '^ 70s !').toBeObservable('na', SETS)
    }),
  )
})
