import { NEVER, map, type Observable } from 'rxjs'
import { describe, it } from 'vitest'
import { toOutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import { toEvent, type ChainEvent } from '../../../src/streams/session/events.js'
import { createReservations, type Reservations } from '../../../src/streams/utxos/reservations.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'
import { coin } from './coins.js'

type Context = Parameters<Parameters<typeof marbles>[0]>[0]

/** Reservations in virtual time, on a node that tells `heard$` until `ended$`. */
const createScene = (
  { scheduler }: Context,
  heard$: Observable<ChainEvent> = NEVER,
  ended$: Observable<void> = NEVER,
): Reservations => createReservations({ heard$, ended$, platform: createTestPlatform({ scheduler }) })

/** Takes the coins of these numbers, and gives them back, at the letters of two scripts. */
function pay(
  reservations: Reservations,
  numbers: readonly number[],
  take$: Observable<string>,
  back$: Observable<string> = NEVER,
): void {
  let giveBack = (): void => undefined
  take$.subscribe(() => (giveBack = reservations.reserve(numbers.map((number) => coin(number).outpoint))))
  back$.subscribe(() => giveBack())
}

/** The numbers of the coins that are held. */
const held$ = ({ reserved$ }: Reservations): Observable<string> =>
  reserved$.pipe(map((held) => [1, 2, 3].filter((number) => held.has(toOutpointKey(coin(number).outpoint))).join('')))

const changed = (removed: readonly UtxoEntry[], added: readonly UtxoEntry[] = []): ChainEvent =>
  toEvent({ type: 'utxos-changed', data: { removed: [...removed], added: [...added] } }, 0)

const HELD = { n: '', a: '1', b: '12', c: '123', d: '2' }

describe('the coins that a payment has taken', () => {
  it(
    'are kept until it gives them back, which it may do twice',
    marbles((m) => {
      const reservations = createScene(m)
      pay(reservations, [1, 2], m.hot('-t'), m.hot('---g-g'))
      m.expect(held$(reservations)).toBeObservable('nb-n', HELD)
    }),
  )

  it(
    'lapse after a minute, should nobody say anything of them',
    marbles((m) => {
      const reservations = createScene(m)
      pay(reservations, [1, 2], m.hot('-t'))
      m.expect(held$(reservations)).toBeObservable('nb 59999ms n', HELD)
    }),
  )

  it(
    'are let go one by one as the node reports them spent, and not where it only gives them a new score',
    marbles((m) => {
      const told = { s: changed([coin(1)]), u: changed([coin(2)], [coin(2)]), v: changed([coin(2), coin(3)]) }
      const reservations = createScene(m, m.hot('---s-u-v', told))
      pay(reservations, [1, 2], m.hot('-t'))
      m.expect(held$(reservations)).toBeObservable('nb-d---n', HELD)
    }),
  )

  it(
    'stay taken where two hold them, until both have let go',
    marbles((m) => {
      const reservations = createScene(m)
      pay(reservations, [1], m.hot('-t'), m.hot('-------g'))
      pay(reservations, [1, 2], m.hot('---t'), m.hot('-----g'))
      m.expect(held$(reservations)).toBeObservable('na-b-a-n', HELD)
    }),
  )

  it(
    'hold nothing up once the engine has ended',
    marbles((m) => {
      const reservations = createScene(m, NEVER, m.hot('--(e|)').pipe(map(() => undefined)))
      pay(reservations, [1], m.hot('-t'))
      m.expect(held$(reservations), '^ 70s !').toBeObservable('na', HELD)
    }),
  )
})
