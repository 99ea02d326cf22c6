import { ignoreElements, merge, tap, withLatestFrom, type Observable } from 'rxjs'
import type { NodeLink } from '../../session/node-link.js'
import type { UtxoSets } from '../store/utxo-sets.js'
import type { UtxoRequests } from './commands.js'

/** Dispatches `connected` and `disconnected` to the address sets, also to those opened later. Never emits. */
export function followSession$(
  utxoSets: UtxoSets,
  { tracked$ }: UtxoRequests,
  { session$ }: Pick<NodeLink, 'session$'>,
): Observable<never> {
  const markConnected = (): void =>
    [...utxoSets.unplaced].forEach((set) => utxoSets.dispatch(set, { type: 'connected' }))
  const markDisconnected = (): void => utxoSets.all.forEach((set) => utxoSets.dispatch(set, { type: 'disconnected' }))
  return merge(
    session$.pipe(tap((session) => (session === null ? markDisconnected() : markConnected()))),
    tracked$.pipe(
      withLatestFrom(session$),
      tap(([, session]) => {
        if (session !== null) markConnected() // else a handshake may have subscribed already
      }),
    ),
  ).pipe(ignoreElements())
}
