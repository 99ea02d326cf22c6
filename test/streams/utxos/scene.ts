import { map, type SchedulerLike } from 'rxjs'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { toConnectionState } from '../../../src/streams/connection/view.js'
import { createScores } from '../../../src/streams/scores.js'
import { keep$ } from '../../../src/streams/utxos/keep.js'
import { createReservations, type Reservations } from '../../../src/streams/utxos/reservations.js'
import type { UtxoState } from '../../../src/streams/utxos/state.js'
import { createUtxos, type Utxos } from '../../../src/streams/utxos/utxos.js'
import type { marbles } from '../../marbles.js'
import { createTestLink, type TestLink } from '../link.js'

type Context = Parameters<Parameters<typeof marbles>[0]>[0]

export interface LedgerScene extends TestLink {
  readonly utxos: Utxos
  readonly reservations: Reservations
  /** Has the node tell of a change. */
  readonly tell: (removed: UtxoEntry[], added: UtxoEntry[]) => void
  /** How often the node was asked so. */
  readonly asked: (method: string) => number
}

/** A ledger store in virtual time, on a scripted node whose answer to a question for coins comes after 4 ms. */
export function createScene(m: Context, coins: readonly UtxoEntry[]): LedgerScene {
  const scene = createLedgers(m.scheduler)
  scene.node.answer('getUtxosByAddresses', () => m.cold('----(a|)', { a: { entries: coins } }))
  return scene
}

/** The same, where nothing is answered until a test says how. */
export function createLedgers(scheduler: SchedulerLike): LedgerScene {
  const scene = createTestLink(scheduler)
  const { link, node } = scene
  const reservations = createReservations(link)
  const connection = { state$: link.keeper.state$.pipe(map(toConnectionState)) }
  return {
    ...scene,
    reservations,
    utxos: createUtxos({ ...link, ...createScores(link), ...reservations, connection, keep: keep$ }),
    tell: (removed, added) => node.notify({ type: 'utxos-changed', data: { removed, added } }),
    asked: (wanted) => node.calls.filter(({ method }) => method === wanted).length,
  }
}

/** Freshness and what is mature, in short: `fresh 300`. */
export const toWords = ({ freshness, balance }: UtxoState): string => `${freshness} ${balance.mature}`
