import { BehaviorSubject, distinctUntilChanged, filter, map, timer, type Observable } from 'rxjs'
import { toOutpointKey, type Outpoint, type OutpointKey } from '../../model/utxo.js'
import { isOfType } from '../session/events.js'
import type { NodeLink } from '../session/node-link.js'

/** Ms after which a reservation expires if the node does not report the UTXO as spent. */
export const RESERVATION_TIMEOUT = 60_000

/** Reservations of UTXOs by pending payments, so that two concurrent payments do not select the same ones. */
export interface Reservations {
  isReserved(outpoint: Outpoint): boolean
  /**
   * Reserves UTXOs; the returned function releases this reservation. A UTXO reserved twice, as by a payment and its
   * replacement, is free once both are released.
   */
  reserve(outpoints: readonly Outpoint[]): () => void
  /** The reserved outpoints. Replays the current set, emits only changes; each value is a new set. */
  readonly reserved$: Observable<ReadonlySet<OutpointKey>>
}

type ReservedByPayment = ReadonlyMap<symbol, ReadonlySet<OutpointKey>>

/** A reservation ends when it is released, when the node reports the UTXO as spent, or after 60 s. */
export function createReservations(node: Pick<NodeLink, 'received$' | 'ended$' | 'platform'>): Reservations {
  const reservations$ = new BehaviorSubject<ReservedByPayment>(new Map())
  const release = (payment: symbol): void => {
    if (reservations$.value.has(payment))
      reservations$.next(new Map([...reservations$.value].filter(([subscriber]) => subscriber !== payment)))
  }
  const lifetime = spent$(node).subscribe((spent) => reservations$.next(withoutSpent(reservations$.value, spent)))
  lifetime.add(node.ended$.subscribe(() => lifetime.unsubscribe()))

  return {
    isReserved: (outpoint) => isReservedIn(reservations$.value, toOutpointKey(outpoint)),
    reserve: (outpoints) => {
      const payment = Symbol('payment')
      reservations$.next(new Map([...reservations$.value, [payment, new Set(outpoints.map(toOutpointKey))]]))
      const expiry = timer(RESERVATION_TIMEOUT, node.platform.scheduler).subscribe(() => release(payment))
      lifetime.add(expiry)
      return () => {
        expiry.unsubscribe()
        release(payment)
      }
    },
    reserved$: reservations$.pipe(
      map((reservations) => new Set([...reservations.values()].flatMap((keys) => [...keys]))),
      distinctUntilChanged((a, b) => a.size === b.size && [...a].every((key) => b.has(key))),
    ),
  }
}

const isReservedIn = (reservations: ReservedByPayment, key: OutpointKey): boolean =>
  [...reservations.values()].some((keys) => keys.has(key))

const withoutSpent = (reservations: ReservedByPayment, spent: ReadonlySet<OutpointKey>): ReservedByPayment =>
  new Map([...reservations].map(([payment, keys]) => [payment, new Set([...keys].filter((key) => !spent.has(key)))]))

/** UTXOs reported as removed; one that the same notification adds again has only a new DAA score. */
const spent$ = ({ received$ }: Pick<NodeLink, 'received$'>): Observable<ReadonlySet<OutpointKey>> =>
  received$.pipe(
    filter(isOfType('utxos-changed')),
    filter(({ data }) => data.removed.length > 0),
    map(({ data }) => {
      const spent = new Set(data.removed.map(({ outpoint }) => toOutpointKey(outpoint)))
      for (const { outpoint } of data.added) spent.delete(toOutpointKey(outpoint))
      return spent
    }),
  )
