import {
  Subject,
  defer,
  filter,
  ignoreElements,
  map,
  merge,
  pairwise,
  tap,
  type Observable,
  combineLatest,
  startWith,
  withLatestFrom,
} from 'rxjs'
import type { ConnectionState } from '../../connection/state.js'
import type { NodeLink } from '../../session/node-link.js'
import { type AddressSet, type UtxoSets, isUnplaced } from '../store/store.js'
import type { CurrentEffects } from '../unconfirmed/effects.js'
import { createUnconfirmedSync, type UnconfirmedSync } from '../unconfirmed/sync.js'
import type { Unconfirmed } from '../unconfirmed/unconfirmed.js'
import { commandsOf$, type SyncCommands } from './commands.js'
import { applyDeltas$, merges$, type DeltaDeps } from './deltas.js'
import { fetchUtxoSets$ } from './fetch.js'
import { pollMempool$, type PollMempoolDeps } from './mempool.js'
import { requestScores$, type ScoreDeps } from './scores.js'
import type { Placed } from '../../subscriptions/subscriptions.js'

type SyncUtxoSetsDeps = Pick<NodeLink, 'session$' | 'placed$' | 'callOn'> & DeltaDeps & ScoreDeps

export interface SyncDeps extends SyncUtxoSetsDeps, PollMempoolDeps {
  readonly connection: { readonly state$: Observable<ConnectionState> }
  readonly unconfirmed: Unconfirmed
  readonly effects: CurrentEffects
}

/** Syncs the UTXO sets and polls the mempool while subscribed to. Never emits or errors. */
export const sync$ = (utxoSets: UtxoSets, commands$: SyncCommands, node: SyncDeps): Observable<never> =>
  defer(() => {
    const unconfirmed = createUnconfirmedSync(node.unconfirmed, utxoSets, node.effects)
    return merge(
      followSession$(utxoSets, commands$, node),
      followHost$(utxoSets, node),
      clearAfterOtherNetwork$(utxoSets, unconfirmed, node),
      utxoSets.applied$.pipe(tap(({ changes }) => unconfirmed.applyIndex(changes))),
      // Before the UTXO sets: a payment accepted between both reads is in both of them, else it would be in neither.
      pollMempool$(utxoSets, commands$, unconfirmed, node),
      syncUtxoSets$(utxoSets, commands$, node),
    ).pipe(ignoreElements())
  })

/**
 * Fetches each set once its address is subscribed to, applies notifications, and fetches a set again after a gap, a
 * duplicate or a reordering.
 */
const syncUtxoSets$ = (utxoSets: UtxoSets, commands$: SyncCommands, node: SyncUtxoSetsDeps): Observable<unknown> =>
  defer(() => {
    const due$ = new Subject<void>()
    const invalidate = (addressSets: readonly AddressSet[]): void => {
      for (const set of addressSets) utxoSets.dispatch(set, { type: 'invalidated' })
      due$.next()
    }
    return merge(
      placements$(utxoSets, commands$, node).pipe(tap(() => due$.next())),
      endedPlacements$(utxoSets, node),
      applyDeltas$(utxoSets, node).pipe(tap(invalidate)),
      commandsOf$(commands$, 'fetch').pipe(tap(({ addressSets }) => invalidate(addressSets))),
      fetchUtxoSets$(utxoSets, due$, node),
      requestScores$(commands$, node),
      merges$(utxoSets),
    )
  })

/** Removes the entries of a connected node that has turned out to serve another network. */
const clearAfterOtherNetwork$ = (
  utxoSets: UtxoSets,
  unconfirmed: UnconfirmedSync,
  { connection }: SyncDeps,
): Observable<unknown> =>
  connection.state$.pipe(
    pairwise(),
    filter(([before, { error }]) => before.status === 'connected' && error?.code === 'wrong-network'),
    tap(() => {
      utxoSets.clear()
      for (const address of utxoSets.all.keys()) unconfirmed.forget(address)
    }),
  )

/** Names the host of the dialled node to the UTXO sets. */
const followHost$ = (utxoSets: UtxoSets, { connection }: SyncDeps): Observable<unknown> =>
  connection.state$.pipe(
    map(({ url }) => url),
    tap((url) => {
      if (url !== null) utxoSets.setHost(new URL(url).hostname)
    }),
  )

/** Dispatches `connected` and `disconnected` to the address sets, also to those opened later. Never emits. */
function followSession$(
  utxoSets: UtxoSets,
  commands$: SyncCommands,
  { session$ }: Pick<NodeLink, 'session$'>,
): Observable<never> {
  const markConnected = (): void =>
    [...utxoSets.unplaced].forEach((set) => utxoSets.dispatch(set, { type: 'connected' }))
  const markDisconnected = (): void => utxoSets.all.forEach((set) => utxoSets.dispatch(set, { type: 'disconnected' }))
  return merge(
    session$.pipe(tap((session) => (session === null ? markDisconnected() : markConnected()))),
    commandsOf$(commands$, 'track').pipe(
      withLatestFrom(session$),
      tap(([, session]) => {
        if (session !== null) markConnected() // else a handshake may have subscribed already
      }),
    ),
  ).pipe(ignoreElements())
}

/** Emits after the placed subscriptions were applied: on each change, with each session, and after sets were opened. */
const placements$ = (
  utxoSets: UtxoSets,
  commands$: SyncCommands,
  { session$, placed$ }: Pick<NodeLink, 'session$' | 'placed$'>,
): Observable<unknown> =>
  combineLatest([placed$, session$, commandsOf$(commands$, 'track').pipe(startWith(undefined))]).pipe(
    map(([placed]) => placed),
    tap((placed) => applyPlacement(utxoSets, placed)),
  )

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
const endedPlacements$ = (utxoSets: UtxoSets, { placed$ }: Pick<NodeLink, 'placed$'>): Observable<unknown> =>
  placed$.pipe(
    tap(({ addresses }) => {
      for (const set of utxoSets.all.values())
        if (!isUnplaced(set.phase) && !addresses.has(set.address)) utxoSets.dispatch(set, { type: 'disconnected' })
    }),
  )
