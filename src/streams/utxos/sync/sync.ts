import { Subject, defer, filter, ignoreElements, map, merge, pairwise, tap, type Observable } from 'rxjs'
import type { ConnectionState } from '../../connection/state.js'
import type { NodeLink } from '../../session/node-link.js'
import type { AddressSet, UtxoSets } from '../store/store.js'
import type { CurrentEffects } from '../unconfirmed/current-effects.js'
import { createUnconfirmedSync, type UnconfirmedSync } from '../unconfirmed/sync.js'
import type { Unconfirmed } from '../unconfirmed/unconfirmed.js'
import { commandsOf$, type SyncCommands } from './commands.js'
import { applyDeltas$, merges$, type DeltaDeps } from './deltas.js'
import { fetchUtxoSets$ } from './fetch.js'
import { pollMempool$, type PollMempoolDeps } from './mempool.js'
import { endedPlacements$, followSession$, placements$ } from './placement.js'
import { requestScores$, type ScoreDeps } from './scores.js'

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
