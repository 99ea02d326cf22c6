import { combineLatest, ignoreElements, map, merge, startWith, tap, withLatestFrom, type Observable } from 'rxjs'
import type { NodeLink } from '../../session/node-link.js'
import type { Placed } from '../../subscriptions/placed.js'
import { isUnplaced, type UtxoSets } from '../store/store.js'
import { commandsOf$, type SyncCommands } from './commands.js'

/** Dispatches `connected` and `disconnected` to the address sets, also to those opened later. Never emits. */
export function followSession$(
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
export const placements$ = (
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
export const endedPlacements$ = (utxoSets: UtxoSets, { placed$ }: Pick<NodeLink, 'placed$'>): Observable<unknown> =>
  placed$.pipe(
    tap(({ addresses }) => {
      for (const set of utxoSets.all.values())
        if (!isUnplaced(set.phase) && !addresses.has(set.address)) utxoSets.dispatch(set, { type: 'disconnected' })
    }),
  )
