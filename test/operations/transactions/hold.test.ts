import { NEVER, map } from 'rxjs'
import { describe, it } from 'vitest'
import { createHold, type Hold } from '../../../src/operations/transactions/submit/hold.js'
import { createReservations } from '../../../src/streams/utxos/reservations.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'
import { KAS, coin } from './people.js'

type Context = Parameters<Parameters<typeof marbles>[0]>[0]

/** The hold of one transaction on its coin, in virtual time; how many coins are held. */
function createScene({ scheduler }: Context) {
  const reservations = createReservations({
    heard$: NEVER,
    ended$: NEVER,
    platform: createTestPlatform({ scheduler }),
  })
  const hold: Hold = createHold(reservations, [coin(KAS).outpoint])
  return { hold, held$: reservations.reserved$.pipe(map((held) => String(held.size))) }
}

describe('the coins of a transaction', () => {
  it(
    'are held for a minute from the last time that they are taken, without a gap',
    marbles((m) => {
      const { hold, held$ } = createScene(m)
      m.hot('-t 39999ms t').subscribe(hold.take)
      m.expect(held$).toBeObservable('01 99999ms 0')
    }),
  )

  it(
    'are held again where they are taken after their hold has lapsed',
    marbles((m) => {
      const { hold, held$ } = createScene(m)
      m.hot('-t 69999ms t').subscribe(hold.take)
      m.expect(held$, '^ 80s !').toBeObservable('01 59999ms 0 9999ms 1')
    }),
  )

  it(
    'are free once they are dropped, however often they were taken',
    marbles((m) => {
      const { hold, held$ } = createScene(m)
      m.hot('-t-t').subscribe(hold.take)
      m.hot('-----d').subscribe(hold.drop)
      m.expect(held$).toBeObservable('01---0')
    }),
  )
})
