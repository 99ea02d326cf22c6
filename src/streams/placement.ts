import { combineLatest, distinctUntilChanged, filter, firstValueFrom, map, using, type Observable } from 'rxjs'
import type { ChainError } from '../errors/chain-error.js'
import { engineDisposed } from '../errors/not-ready-error.js'
import type { NotificationScope } from '../node/messages/records.js'
import type { NodeLink } from './session/node-link.js'
import type { Placed } from './subscriptions/subscriptions.js'

export type PlacementDeps = Pick<NodeLink, 'acquire' | 'session$' | 'placed$'>

/**
 * The status of a wanted scope at the current node. Without a connection it counts as placed: the next connection
 * places it.
 */
type PlacementStatus = 'placed' | 'pending' | ChainError

/** Whether the scope of a stream is subscribed at the node. */
export interface Placement {
  /**
   * Resolves once the node is subscribed, at once without a connection. Rejects with the node's refusal, which is
   * retried later, and with `disposed` by or after `dispose()`.
   */
  ready(): Promise<void>
  /** The node's refusal; null if there is none. Replays it, emits only changes, never errors, sends no requests. */
  readonly refusal$: Observable<ChainError | null>
}

export const createPlacement = (node: PlacementDeps, scope: NotificationScope): Placement => ({
  ready: () => untilPlaced(node, scope),
  refusal$: status$(node, scope).pipe(
    filter((status) => status !== 'pending'), // a refusal lasts until an attempt succeeds
    map((status) => (status === 'placed' ? null : status)),
    distinctUntilChanged(),
  ),
})

/** Waits until a scope is placed on the current connection, if there is one, and wants it meanwhile. */
export async function untilPlaced(node: PlacementDeps, scope: NotificationScope): Promise<void> {
  const settled$ = using(
    () => node.acquire(scope),
    () => status$(node, scope).pipe(filter((status) => status !== 'pending')),
  )
  const status = await firstValueFrom(settled$, { defaultValue: engineDisposed() })
  if (status !== 'placed') throw status
}

const status$ = (
  { session$, placed$ }: Pick<PlacementDeps, 'session$' | 'placed$'>,
  scope: NotificationScope,
): Observable<PlacementStatus> =>
  combineLatest([session$, placed$]).pipe(
    map(([session, placed]) => (session === null ? 'placed' : toStatus(placed, scope))),
  )

function toStatus(placed: Placed, scope: NotificationScope): PlacementStatus {
  const [address] = scope.type === 'utxos-changed' ? scope.addresses : []
  const isPlaced = address === undefined ? isCovered(placed, scope) : placed.addresses.has(address)
  return isPlaced ? 'placed' : (placed.refused.get(address ?? scope.type)?.error ?? 'pending')
}

/** Whether the node is subscribed to a scope. A subscription with accepted ids also covers one without. */
function isCovered({ scopes }: Placed, wanted: NotificationScope): boolean {
  const scope = scopes.get(wanted.type)
  if (wanted.type !== 'virtual-chain-changed' || scope?.type !== wanted.type) return scope !== undefined
  return scope.includeAcceptedTransactionIds || !wanted.includeAcceptedTransactionIds
}
