import { Subscription } from 'rxjs'
import type { NotificationScope } from '../node/messages/records.js'
import { untilPlaced, type PlacementDeps } from './placement.js'
import { PLAIN_SCOPES, type PlainScopeName } from './session/events.js'
import { requireAddresses } from './session/address-errors.js'
import type { NodeLink } from './session/node-link.js'

type PlainMethods = Pick<SubscriptionMethods, `subscribe${PlainScopeName}` | `unsubscribe${PlainScopeName}`>

/**
 * A pair of methods per scope. Calls are counted: the node receives the first `subscribe` and the last `unsubscribe` of
 * all callers. `subscribe` resolves once the node has placed the scope, at once without a connection (the next one
 * places it), and rejects with the node's refusal, which is retried later. An address of another network rejects with
 * `ChainRpcError` (`invalid-argument`) before anything is subscribed. `unsubscribe` never rejects.
 */
export interface SubscriptionMethods {
  readonly subscribeBlockAdded: () => Promise<void>
  readonly unsubscribeBlockAdded: () => Promise<void>
  readonly subscribeFinalityConflict: () => Promise<void>
  readonly unsubscribeFinalityConflict: () => Promise<void>
  readonly subscribeFinalityConflictResolved: () => Promise<void>
  readonly unsubscribeFinalityConflictResolved: () => Promise<void>
  readonly subscribeSinkBlueScoreChanged: () => Promise<void>
  readonly unsubscribeSinkBlueScoreChanged: () => Promise<void>
  readonly subscribeVirtualDaaScoreChanged: () => Promise<void>
  readonly unsubscribeVirtualDaaScoreChanged: () => Promise<void>
  readonly subscribeDaaScore: () => Promise<void>
  readonly unsubscribeDaaScore: () => Promise<void>
  readonly subscribePruningPointUtxoSetOverride: () => Promise<void>
  readonly unsubscribePruningPointUtxoSetOverride: () => Promise<void>
  readonly subscribeNewBlockTemplate: () => Promise<void>
  readonly unsubscribeNewBlockTemplate: () => Promise<void>
  readonly subscribeUtxosChanged: (addresses: readonly string[]) => Promise<void>
  readonly unsubscribeUtxosChanged: (addresses: readonly string[]) => Promise<void>
  readonly subscribeVirtualChainChanged: (includeAcceptedTransactionIds: boolean) => Promise<void>
  readonly unsubscribeVirtualChainChanged: (includeAcceptedTransactionIds: boolean) => Promise<void>
}

/** The methods of one caller. Unsubscribing `teardown` ends all of its subscriptions. */
export interface OwnedSubscriptions {
  readonly methods: SubscriptionMethods
  readonly teardown: Subscription
}

export type SubscriptionMethodsDeps = PlacementDeps & Pick<NodeLink, 'network'>

export function createSubscriptionMethods(node: SubscriptionMethodsDeps): OwnedSubscriptions {
  const byScope = new Map<string, Subscription[]>()
  const teardown = new Subscription()

  const subscribe = async (...scopes: readonly NotificationScope[]): Promise<void> => {
    for (const scope of scopes) {
      const subscription = node.acquire(scope)
      teardown.add(subscription)
      byScope.set(JSON.stringify(scope), [...(byScope.get(JSON.stringify(scope)) ?? []), subscription])
    }
    await Promise.all(scopes.map((scope) => untilPlaced(node, scope)))
  }
  const unsubscribe = (...scopes: readonly NotificationScope[]): Promise<void> => {
    for (const scope of scopes) byScope.get(JSON.stringify(scope))?.pop()?.unsubscribe()
    return Promise.resolve()
  }
  return {
    teardown,
    methods: {
      ...plainMethods(subscribe, unsubscribe),
      subscribeUtxosChanged: async (addresses) => {
        requireAddresses(addresses, node.network())
        await subscribe(...addresses.map(toAddressScope))
      },
      unsubscribeUtxosChanged: (addresses) => unsubscribe(...addresses.map(toAddressScope)),
      subscribeVirtualChainChanged: (include) => subscribe(toChainScope(include)),
      unsubscribeVirtualChainChanged: (include) => unsubscribe(toChainScope(include)),
    },
  }
}

type ScopeFunction = (scope: NotificationScope) => Promise<void>

function plainMethods(subscribe: ScopeFunction, unsubscribe: ScopeFunction): PlainMethods {
  const pairs = Object.entries(PLAIN_SCOPES).flatMap(([name, type]) => [
    [`subscribe${name}`, () => subscribe({ type })],
    [`unsubscribe${name}`, () => unsubscribe({ type })],
  ])
  return Object.fromEntries(pairs) as PlainMethods
}

/** One scope per address, so that overlapping sets are counted correctly. */
const toAddressScope = (address: string): NotificationScope => ({ type: 'utxos-changed', addresses: [address] })

const toChainScope = (includeAcceptedTransactionIds: boolean): NotificationScope => ({
  type: 'virtual-chain-changed',
  includeAcceptedTransactionIds,
})
