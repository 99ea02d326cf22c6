import { combineLatest, distinctUntilChanged, filter, firstValueFrom, map, using, type Observable } from 'rxjs'
import type { ChainError } from '../errors/chain-error.js'
import type { NotificationScope } from '../node/messages/records.js'
import type { NodeLink } from './session/node-link.js'
import type { Placed } from './subscriptions/placed.js'

export type PlacementDeps = Pick<NodeLink, 'want' | 'session$' | 'placed$'>

/** What has become of a wanted scope at the node of now. Without a connection it is as good as placed: with the next one it will be. */
type Verdict = 'placed' | 'pending' | ChainError

/** Whether the node tells of what a stream listens to. */
export interface Placement {
  /**
   * Resolves once the node has been subscribed to it, at once where there is no connection. Rejects with the node's
   * refusal, which is tried again later.
   */
  settled(): Promise<void>
  /** The node's refusal; null where there is none. Replays it, emits only changes, never errors, asks the node for nothing. */
  readonly refusal$: Observable<ChainError | null>
}

export const createPlacement = (node: PlacementDeps, scope: NotificationScope): Placement => ({
  settled: () => whenPlaced(node, scope),
  refusal$: verdict$(node, scope).pipe(
    filter((verdict) => verdict !== 'pending'), // a refusal stands until the next attempt has ended well
    map((verdict) => (verdict === 'placed' ? null : verdict)),
    distinctUntilChanged(),
  ),
})

/** Waits until a scope is placed on the connection of now, if there is one. It is wanted for as long as that is waited for. */
export async function whenPlaced(node: PlacementDeps, scope: NotificationScope): Promise<void> {
  const settled$ = using(
    () => node.want(scope),
    () => verdict$(node, scope).pipe(filter((verdict) => verdict !== 'pending')),
  )
  const verdict = await firstValueFrom(settled$, { defaultValue: 'placed' as const }) // an engine that ends has nothing to place
  if (verdict !== 'placed') throw verdict
}

const verdict$ = (
  { session$, placed$ }: Pick<PlacementDeps, 'session$' | 'placed$'>,
  scope: NotificationScope,
): Observable<Verdict> =>
  combineLatest([session$, placed$]).pipe(
    map(([session, placed]) => (session === null ? 'placed' : toVerdict(placed, scope))),
  )

function toVerdict(placed: Placed, scope: NotificationScope): Verdict {
  const [address] = scope.type === 'utxos-changed' ? scope.addresses : []
  const isPlaced = address === undefined ? tells(placed, scope) : placed.addresses.has(address)
  return isPlaced ? 'placed' : (placed.refused.get(address ?? scope.type)?.error ?? 'pending')
}

/** Whether the node tells of a scope: who can do without accepted ids is served by those who want them. */
function tells({ scopes }: Placed, wanted: NotificationScope): boolean {
  const scope = scopes.get(wanted.type)
  if (wanted.type !== 'virtual-chain-changed' || scope?.type !== wanted.type) return scope !== undefined
  return scope.includeAcceptedTransactionIds || !wanted.includeAcceptedTransactionIds
}
