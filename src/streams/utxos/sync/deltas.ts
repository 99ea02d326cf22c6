import {
  auditTime,
  defer,
  delay,
  exhaustMap,
  filter,
  map,
  merge,
  of,
  startWith,
  switchMap,
  take,
  tap,
  timer,
  type Observable,
} from 'rxjs'
import { nextTask, inSteps$ } from '../../../loading/steps.js'
import { DEFAULT_RETRIES, backoff } from '../../connection/policy.js'
import { isOfType } from '../../session/events.js'
import type { NodeLink } from '../../session/node-link.js'
import type { AddressSet, UtxoSets } from '../store/store.js'

export type DeltaDeps = Pick<NodeLink, 'malformed$' | 'events$' | 'received$' | 'platform'>

/** Ms during which inconsistencies are collected before one fetch for all of them. */
const REFETCH_DELAY = 250

/** Malformed messages that are followed by a fetch at once, and ms without one after which they are counted again. */
const TOLERATED = 3
const CALM = 120_000

/** Applies the notifications of changes. Emits the sets that a gap, a duplicate or a reordering has made invalid. */
export const applyDeltas$ = (utxoSets: UtxoSets, node: DeltaDeps): Observable<readonly AddressSet[]> =>
  merge(
    inconsistencies$(utxoSets, node),
    merge(overrides$(node), corruptions$(utxoSets, node)).pipe(map(() => [...utxoSets.all.values()])),
  )

/** Applies notifications. Emits the inconsistent sets, collected over `REFETCH_DELAY`. */
const inconsistencies$ = (utxoSets: UtxoSets, { received$, platform }: DeltaDeps): Observable<readonly AddressSet[]> =>
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

/**
 * Emits when all sets are invalid: after a pruning point override, and once more `REFETCH_DELAY` after the next
 * notification, because the override may arrive before a notification of the old set.
 */
const overrides$ = ({ events$, received$, platform }: DeltaDeps): Observable<unknown> =>
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

/**
 * Emits when all sets have to be fetched because a message could not be decoded: at once for the first ones. A node
 * that goes on sending such messages would restart every fetch without end: all sets show the error, and are fetched
 * after a growing delay.
 */
const corruptions$ = (utxoSets: UtxoSets, { malformed$, platform }: DeltaDeps): Observable<unknown> =>
  defer(() => {
    const { scheduler } = platform
    let [count, last] = [0, -Infinity]
    return malformed$.pipe(
      exhaustMap((error) => {
        count = scheduler.now() - last < CALM ? count + 1 : 1
        last = scheduler.now()
        if (count <= TOLERATED) return of(undefined)
        for (const set of utxoSets.all.values()) utxoSets.dispatch(set, { type: 'corrupted', error })
        return timer(backoff(count - TOLERATED, DEFAULT_RETRIES, platform.random()), scheduler)
      }),
    )
  })

/** Merges the changes of sets with their columns, one set after the other, off the task of the change. */
export const merges$ = ({ mergeDue$ }: UtxoSets): Observable<unknown> =>
  mergeDue$.pipe(exhaustMap(({ entries }) => defer(nextTask).pipe(switchMap(() => inSteps$(entries.merge())))))
