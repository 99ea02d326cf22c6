import {
  Subject,
  auditTime,
  combineLatest,
  defer,
  delay,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  merge,
  startWith,
  switchMap,
  take,
  tap,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { nextTask } from '../../../loading/next-task.js'
import { inSteps$ } from '../../../loading/steps.js'
import { isOfType } from '../../session/events.js'
import type { NodeLink } from '../../session/node-link.js'
import type { Placed } from '../../subscriptions/placed.js'
import type { AddressSet } from '../store/address-set.js'
import { isUnplaced } from '../store/address-phase.js'
import type { UtxoSets } from '../store/utxo-sets.js'
import { fetchUtxoSets$ } from './fetch.js'
import type { UtxoRequests } from './commands.js'
import { requestScores$, type ScoreDeps } from './scores.js'

export type SyncUtxoSetsDeps = Pick<
  NodeLink,
  'session$' | 'placed$' | 'malformed$' | 'events$' | 'callOn' | 'network$'
> &
  ScoreDeps

/** Ms during which inconsistencies are collected before one fetch for all of them. */
const REFETCH_DELAY = 250

/**
 * Syncs the UTXO sets while subscribed to: fetches each set once its address is subscribed to, applies notifications,
 * and fetches a set again after a gap, a duplicate or a reordering. Never emits or errors.
 */
export function syncUtxoSets$(utxoSets: UtxoSets, requests: UtxoRequests, node: SyncUtxoSetsDeps): Observable<never> {
  return defer(() => {
    const due$ = new Subject<void>()
    const refetch = (addressSets: Iterable<AddressSet>): void => {
      for (const set of addressSets) utxoSets.dispatch(set, { type: 'invalidated' })
      due$.next()
    }
    const allSets = (): readonly AddressSet[] => [...utxoSets.all.values()]
    const work$: Observable<unknown> = merge(
      placements$(requests, node).pipe(
        tap((placed) => {
          applyPlacement(utxoSets, placed)
          due$.next()
        }),
      ),
      node.placed$.pipe(tap((placed) => markUnsubscribed(utxoSets, placed))),
      inconsistencies$(utxoSets, node).pipe(tap(refetch)),
      overrides$(node).pipe(tap(() => refetch(allSets()))),
      node.malformed$.pipe(tap(() => refetch(allSets()))),
      requests.invalidated$.pipe(tap(refetch)),
      fetchUtxoSets$(utxoSets, due$, node),
      requestScores$(requests, node),
      merges$(utxoSets),
    )
    return work$.pipe(ignoreElements())
  })
}

/** Merges the changes of sets with their columns, one set after the other, off the task of the change. */
const merges$ = ({ mergeDue$ }: UtxoSets): Observable<unknown> =>
  mergeDue$.pipe(exhaustMap(({ entries }) => defer(nextTask).pipe(switchMap(() => inSteps$(entries.merge())))))

/** The placed subscriptions, on each change, with each session, and after sets were opened. */
const placements$ = ({ tracked$ }: UtxoRequests, { session$, placed$ }: SyncUtxoSetsDeps): Observable<Placed> =>
  combineLatest([placed$, session$, tracked$.pipe(startWith(undefined))]).pipe(map(([placed]) => placed))

function applyPlacement(utxoSets: UtxoSets, placed: Placed): void {
  for (const set of [...utxoSets.unplaced]) {
    const refusal = placed.refused.get(set.address)
    if (placed.addresses.has(set.address)) utxoSets.dispatch(set, { type: 'placed' })
    else if (refusal !== undefined) utxoSets.dispatch(set, { type: 'refused', error: refusal.error })
  }
}

/**
 * Marks sets whose subscription has ended: the connection closed, possibly within a handshake, which no session
 * reports; or the set was opened while its address was being unsubscribed from, and is subscribed to again.
 */
function markUnsubscribed(utxoSets: UtxoSets, { addresses }: Placed): void {
  for (const set of utxoSets.all.values()) {
    if (!isUnplaced(set.phase) && !addresses.has(set.address)) utxoSets.dispatch(set, { type: 'disconnected' })
  }
}

/**
 * Emits when all sets are invalid: after a pruning point override, and once more `REFETCH_DELAY` after the next
 * notification, because the override may arrive before a notification of the old set.
 */
const overrides$ = ({ events$, received$, platform }: SyncUtxoSetsDeps): Observable<unknown> =>
  events$('pruning-point-utxo-set-override').pipe(
    switchMap(() =>
      received$.pipe(
        filter(isOfType('utxos-changed')),
        take(1),
        delay(REFETCH_DELAY, platform.scheduler),
        startWith(undefined),
      ),
    ),
  )

/** Applies notifications. Emits the inconsistent sets, collected over `REFETCH_DELAY`. */
const inconsistencies$ = (
  utxoSets: UtxoSets,
  { received$, platform }: SyncUtxoSetsDeps,
): Observable<readonly AddressSet[]> =>
  defer(() => {
    const inconsistent = new Set<AddressSet>()
    return received$.pipe(
      filter(isOfType('utxos-changed')),
      tap(({ data }) => {
        for (const set of utxoSets.apply(data)) if (set.phase.step === 'live') inconsistent.add(set)
      }),
      filter(() => inconsistent.size > 0),
      auditTime(REFETCH_DELAY, platform.scheduler),
      map(() => [...inconsistent]),
      tap(() => inconsistent.clear()),
    )
  })
