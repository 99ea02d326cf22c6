import {
  EMPTY,
  auditTime,
  concat,
  defer,
  distinctUntilChanged,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  merge,
  of,
  pairwise,
  startWith,
  switchMap,
  tap,
  throttleTime,
  type Observable,
} from 'rxjs'
import type { Scores } from '../../scores.js'
import type { NodeLink } from '../../session/node-link.js'
import type { AddressSet } from '../store/address-set.js'
import type { UtxoSets } from '../store/utxo-sets.js'
import { readMempool$ } from './read-mempool.js'
import type { UtxoRequests } from './commands.js'
import type { UnconfirmedSync } from '../unconfirmed/sync.js'
import type { Unconfirmed } from '../unconfirmed/unconfirmed.js'

const ADDRESSES_PER_REQUEST = 1_000

/** Minimum ms between two reads that notifications of the node cause. */
const MIN_INTERVAL = 1_000

export interface PollMempoolDeps
  extends Pick<NodeLink, 'session$' | 'responses$' | 'call' | 'platform'>, Pick<Scores, 'sinkBlueScore$'> {
  readonly unconfirmed: Pick<Unconfirmed, 'changed$'>
}

/**
 * Reads the mempool for the address sets: when a set is opened, at the shortest interval of its subscribers, after own
 * payments, on request, and after a change of its UTXOs, the last at most once a second. One request at a time; sets
 * that become due meanwhile share the next one. Never emits or errors.
 */
export function pollMempool$(
  utxoSets: UtxoSets,
  requests: UtxoRequests,
  sync: UnconfirmedSync,
  node: PollMempoolDeps,
): Observable<never> {
  const polled = (): AddressSet[] => [...utxoSets.all.values()].filter((set) => pollIntervalOf(set) < Infinity)

  const pollInSession$ = defer(() => {
    const due = new Set<AddressSet>()
    for (const set of utxoSets.all.values()) set.mempool = 'unread'
    const readDue$: Observable<unknown> = defer(() => {
      const addressSets = [...due].slice(0, ADDRESSES_PER_REQUEST)
      if (addressSets.length === 0) return EMPTY
      for (const set of addressSets) set.mempool = 'read'
      for (const set of addressSets) due.delete(set)
      return concat(readMempool$(addressSets, sync, node), readDue$)
    })
    const changed$ = changedAddresses$(utxoSets, sync, node).pipe(
      tap((addresses) => {
        for (const address of addresses) {
          const set = utxoSets.all.get(address)
          if (set !== undefined && pollIntervalOf(set) < Infinity) due.add(set)
        }
      }),
      filter(() => due.size > 0),
      throttleTime(MIN_INTERVAL, node.platform.scheduler, { leading: true, trailing: true }),
      map(() => []),
    )
    return merge(
      requests.ticked$.pipe(map((ms) => polled().filter((set) => pollIntervalOf(set) === ms))),
      merge(requests.mempoolReads$, payments$(node).pipe(map(polled))),
      merge(requests.tracked$, of(undefined)).pipe(map(() => polled().filter(({ mempool }) => mempool === 'unread'))),
      changed$,
    ).pipe(
      tap((addressSets) => addressSets.forEach((set) => due.add(set))),
      exhaustMap(() => readDue$),
    )
  })
  const inSessions$ = node.session$.pipe(switchMap((session) => (session === null ? EMPTY : pollInSession$)))
  return merge(inSessions$, endedPolls$(requests, sync)).pipe(ignoreElements())
}

/** The addresses whose mempool transactions may have changed: with their UTXOs, or by blocks that some waited for. */
const changedAddresses$ = (
  utxoSets: UtxoSets,
  sync: UnconfirmedSync,
  { sinkBlueScore$, unconfirmed, platform }: PollMempoolDeps,
): Observable<ReadonlySet<string>> => {
  const waiting$ = unconfirmed.changed$.pipe(
    auditTime(0, platform.frames),
    map(() => sync.isWaiting()),
    startWith(sync.isWaiting()),
    distinctUntilChanged(),
  )
  const chainBlocks$ = sinkBlueScore$.pipe(
    pairwise(),
    filter(([before, after]) => after > before),
  )
  return merge(
    utxoSets.applied$.pipe(
      filter(({ from }) => from === 'notification'),
      map(({ changes }) => new Set(changes.map(({ address }) => address))),
    ),
    waiting$.pipe(
      switchMap((isWaiting) => (isWaiting ? chainBlocks$ : EMPTY)),
      map(() => sync.addBlock()),
      filter((addresses) => addresses.size > 0),
    ),
  )
}

/** Forgets the mempool transactions of addresses that are no longer polled. */
const endedPolls$ = ({ released$ }: UtxoRequests, sync: UnconfirmedSync): Observable<AddressSet> =>
  released$.pipe(
    filter((set) => pollIntervalOf(set) === Infinity),
    tap((set) => {
      set.mempool = 'unread'
      sync.forget(set.address)
    }),
  )

/** The shortest poll interval of the subscribers, in ms; Infinity where none polls. */
function pollIntervalOf({ subscribers }: AddressSet): number {
  let shortest = Infinity
  for (const { mempoolInterval } of subscribers) shortest = Math.min(shortest, mempoolInterval || Infinity)
  return shortest
}

/** Emits after each payment submitted by this client. */
const payments$ = ({ responses$ }: PollMempoolDeps): Observable<unknown> =>
  responses$.pipe(filter((method) => method === 'submitTransaction' || method === 'submitTransactionReplacement'))
