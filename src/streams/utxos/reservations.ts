import { BehaviorSubject, distinctUntilChanged, filter, map, timer, type Observable } from 'rxjs'
import { toOutpointKey, type Outpoint, type OutpointKey } from '../../model/utxo.js'
import { isOfType } from '../session/events.js'
import type { NodeLink } from '../session/node-link.js'

/** How long, in ms, a coin that a payment has taken is kept from other payments, should the node say nothing of it. */
export const RESERVED_FOR = 60_000

/** Coins that payments under way have taken, so that two quick sends do not pick the same. */
export interface Reservations {
  isReserved(outpoint: Outpoint): boolean
  /**
   * Takes coins; the result lets go of what this very call has taken. A coin that is taken twice, as by a payment and the
   * one that is to replace it, is free when both have let go.
   */
  reserve(outpoints: readonly Outpoint[]): () => void
  /** What is held now. Replays it, emits only changes; each value is a set of its own. */
  readonly reserved$: Observable<ReadonlySet<OutpointKey>>
}

/** What each payment holds. */
type Holdings = ReadonlyMap<symbol, ReadonlySet<OutpointKey>>

/** A coin is given back by whoever took it, when the node reports it spent, or after 60 s. */
export function createReservations(node: Pick<NodeLink, 'heard$' | 'ended$' | 'platform'>): Reservations {
  const held$ = new BehaviorSubject<Holdings>(new Map())
  const letGo = (payment: symbol): void => {
    if (held$.value.has(payment)) held$.next(new Map([...held$.value].filter(([holder]) => holder !== payment)))
  }
  const lifetime = spent$(node).subscribe((spent) => held$.next(without(held$.value, spent)))
  lifetime.add(node.ended$.subscribe(() => lifetime.unsubscribe()))

  return {
    isReserved: (outpoint) => isHeld(held$.value, toOutpointKey(outpoint)),
    reserve: (outpoints) => {
      const payment = Symbol('payment')
      held$.next(new Map([...held$.value, [payment, new Set(outpoints.map(toOutpointKey))]]))
      const lapse = timer(RESERVED_FOR, node.platform.scheduler).subscribe(() => letGo(payment))
      lifetime.add(lapse)
      return () => {
        lapse.unsubscribe()
        letGo(payment)
      }
    },
    reserved$: held$.pipe(
      map((held) => new Set([...held.values()].flatMap((keys) => [...keys]))),
      distinctUntilChanged((a, b) => a.size === b.size && [...a].every((key) => b.has(key))),
    ),
  }
}

const isHeld = (held: Holdings, key: OutpointKey): boolean => [...held.values()].some((keys) => keys.has(key))

const without = (held: Holdings, spent: ReadonlySet<OutpointKey>): Holdings =>
  new Map([...held].map(([payment, keys]) => [payment, new Set([...keys].filter((key) => !spent.has(key)))]))

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
