import { defer, filter, ignoreElements, merge, pairwise, tap, type Observable } from 'rxjs'
import type { ConnectionState } from '../../connection/state.js'
import type { UtxoSets } from '../store/utxo-sets.js'
import { syncUtxoSets$, type SyncUtxoSetsDeps } from './deltas.js'
import { pollMempool$, type PollMempoolDeps } from './mempool.js'
import type { UtxoRequests } from './commands.js'
import type { CurrentEffects } from '../unconfirmed/current-effects.js'
import { createUnconfirmedSync, type UnconfirmedSync } from '../unconfirmed/sync.js'
import type { Unconfirmed } from '../unconfirmed/unconfirmed.js'

export interface SyncDeps extends SyncUtxoSetsDeps, PollMempoolDeps {
  readonly connection: { readonly state$: Observable<ConnectionState> }
  readonly unconfirmed: Unconfirmed
  readonly effects: CurrentEffects
}

/** Syncs the UTXO sets and polls the mempool while subscribed to. Never emits or errors. */
export type Sync = (utxoSets: UtxoSets, requests: UtxoRequests, node: SyncDeps) => Observable<never>

export const sync$: Sync = (utxoSets, requests, node) =>
  defer(() => {
    const unconfirmed = createUnconfirmedSync(node.unconfirmed, utxoSets, node.effects)
    return merge(
      followHost$(utxoSets, node),
      clearAfterOtherNetwork$(utxoSets, unconfirmed, node),
      utxoSets.applied$.pipe(
        tap(({ changes }) => unconfirmed.applyIndex(changes)),
        ignoreElements(),
      ),
      // Before the UTXO sets: a payment accepted between both reads is in both of them, else it would be in neither.
      pollMempool$(utxoSets, requests, unconfirmed, node),
      syncUtxoSets$(utxoSets, requests, node),
    )
  })

/** Removes the entries of a connected node that has turned out to serve another network. Never emits. */
const clearAfterOtherNetwork$ = (
  utxoSets: UtxoSets,
  unconfirmed: UnconfirmedSync,
  { connection }: SyncDeps,
): Observable<never> =>
  connection.state$.pipe(
    pairwise(),
    filter(([before, { error }]) => before.status === 'connected' && error?.code === 'wrong-network'),
    tap(() => {
      utxoSets.clear()
      for (const address of utxoSets.all.keys()) unconfirmed.forget(address)
    }),
    ignoreElements(),
  )

/** Names the host of the dialled node to the UTXO sets. Never emits. */
const followHost$ = (utxoSets: UtxoSets, { connection }: SyncDeps): Observable<never> =>
  connection.state$.pipe(
    tap(({ url }) => {
      if (url !== null) utxoSets.setHost(new URL(url).hostname)
    }),
    ignoreElements(),
  )
