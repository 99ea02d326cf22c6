import { BehaviorSubject, filter, map, timer, type Observable } from 'rxjs'
import { toOutpointKey, type Outpoint, type OutpointKey } from '../../model/utxo.js'
import { isOfType } from '../session/events.js'
import type { NodeLink } from '../session/node-link.js'

/** How long, in ms, a coin that a payment has taken is kept from other payments, should the node say nothing of it. */
export const RESERVED_FOR = 60_000

/** Coins that payments under way have taken, so that two quick sends do not pick the same. */
export interface Reservations {
  isReserved(outpoint: Outpoint): boolean
  /** Takes coins; the result gives back those that this very call still holds. */
  reserve(outpoints: readonly Outpoint[]): () => void
  /** What is held now. Replays it, emits only changes; each value is a set of its own. */
  readonly reserved$: Observable<ReadonlySet<OutpointKey>>
}

/** A coin is given back by whoever took it, when the node reports it spent, or after 60 s. */
export function createReservations(node: Pick<NodeLink, 'heard$' | 'ended$' | 'platform'>): Reservations {
  const held$ = new BehaviorSubject<ReadonlyMap<OutpointKey, symbol>>(new Map())

  const release = (isOver: (key: OutpointKey, holder: symbol) => boolean): void => {
    const held = new Map([...held$.value].filter(([key, holder]) => !isOver(key, holder)))
    if (held.size < held$.value.size) held$.next(held)
  }
  const lifetime = spent$(node).subscribe((spent) => release((key) => spent.has(key)))
  lifetime.add(node.ended$.subscribe(() => lifetime.unsubscribe()))

  return {
    isReserved: (outpoint) => held$.value.has(toOutpointKey(outpoint)),
    reserve: (outpoints) => {
      const mine = Symbol('payment')
      held$.next(new Map([...held$.value, ...outpoints.map((one) => [toOutpointKey(one), mine] as const)]))
      const giveBack = (): void => release((_, holder) => holder === mine)
      const lapse = timer(RESERVED_FOR, node.platform.scheduler).subscribe(giveBack)
      lifetime.add(lapse)
      return () => {
        lapse.unsubscribe()
        giveBack()
      }
    },
    reserved$: held$.pipe(map((held) => new Set(held.keys()))),
  }
}

/** Coins that the node reports gone; one that is added again in the same breath has stayed. */
const spent$ = ({ heard$ }: Pick<NodeLink, 'heard$'>): Observable<ReadonlySet<OutpointKey>> =>
  heard$.pipe(
    filter(isOfType('utxos-changed')),
    filter(({ data }) => data.removed.length > 0),
    map(({ data }) => {
      const gone = new Set(data.removed.map(({ outpoint }) => toOutpointKey(outpoint)))
      for (const { outpoint } of data.added) gone.delete(toOutpointKey(outpoint))
      return gone
    }),
  )
