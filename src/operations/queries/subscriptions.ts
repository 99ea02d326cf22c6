import type { ChainNetwork } from '../../model/network.js'
import type { NotificationScope } from '../../node/messages/records.js'
import { addressesArgument } from './checks.js'
import { refusedBy } from './refused-by.js'

/** The events whose subscription has nothing to say besides its type, by the name in their pair of methods. */
const SIMPLE = {
  BlockAdded: 'block-added',
  FinalityConflict: 'finality-conflict',
  FinalityConflictResolved: 'finality-conflict-resolved',
  SinkBlueScoreChanged: 'sink-blue-score-changed',
  VirtualDaaScoreChanged: 'virtual-daa-score-changed',
  DaaScore: 'virtual-daa-score-changed',
  PruningPointUtxoSetOverride: 'pruning-point-utxo-set-override',
  NewBlockTemplate: 'new-block-template',
} as const

type SimpleName = keyof typeof SIMPLE

/**
 * One pair a scope. Each call counts, and the node is told of the first and of the last only; what is subscribed to while
 * disconnected is placed when connected. Subscribing resolves once the node has been told, and rejects where it refuses.
 */
export type RpcSubscriptions = {
  readonly [N in SimpleName as `subscribe${N}` | `unsubscribe${N}`]: () => Promise<void>
} & {
  /** Each address counts on its own. */
  subscribeUtxosChanged(addresses: readonly string[]): Promise<void>
  unsubscribeUtxosChanged(addresses: readonly string[]): Promise<void>
  subscribeVirtualChainChanged(includeAcceptedTransactionIds: boolean): Promise<void>
  unsubscribeVirtualChainChanged(includeAcceptedTransactionIds: boolean): Promise<void>
}

export interface SubscriptionDeps {
  /** Wants notifications until let go. */
  readonly want: (scope: NotificationScope) => { unsubscribe(): void }
  /** Resolves once the node of now has been told of all, at once where there is none; rejects where it refuses one. */
  readonly placed: (scopes: readonly NotificationScope[]) => Promise<void>
  /** The network that is connected to, or will be. */
  readonly network: () => ChainNetwork
}

/** The subscriptions that callers hold by hand, over a set that counts. */
export function createRpcSubscriptions(deps: SubscriptionDeps): RpcSubscriptions {
  const held = createHeld(deps)
  const pairs = Object.entries(SIMPLE).map(([name, type]) => toPair(name, () => [{ type }], held, deps))
  const virtualChain = (includeAcceptedTransactionIds: boolean): NotificationScope[] => [
    { type: 'virtual-chain-changed', includeAcceptedTransactionIds },
  ]
  const utxos = (addresses: readonly string[]): NotificationScope[] =>
    addressesArgument('addresses', addresses, deps.network()).map((address) => ({
      type: 'utxos-changed',
      addresses: [address],
    }))
  const others = [toPair('VirtualChainChanged', virtualChain, held, deps), toPair('UtxosChanged', utxos, held, deps)]
  return Object.assign({}, ...pairs, ...others) as RpcSubscriptions
}

interface Held {
  hold(scope: NotificationScope): void
  letGo(scope: NotificationScope): void
}

/** What is held, by scope: letting go of what is not held means nothing. */
function createHeld({ want }: Pick<SubscriptionDeps, 'want'>): Held {
  const held = new Map<string, { unsubscribe(): void }[]>()
  return {
    hold: (scope) => {
      const key = JSON.stringify(scope)
      held.set(key, [...(held.get(key) ?? []), want(scope)])
    },
    letGo: (scope) => held.get(JSON.stringify(scope))?.pop()?.unsubscribe(),
  }
}

function toPair<A extends unknown[]>(
  name: string,
  toScopes: (...args: A) => readonly NotificationScope[],
  held: Held,
  { placed }: SubscriptionDeps,
): Record<string, (...args: A) => Promise<void>> {
  const [subscribe, unsubscribe] = [`subscribe${name}`, `unsubscribe${name}`]
  return {
    [subscribe]: async (...args) => {
      const scopes = refusedBy(subscribe, () => toScopes(...args))
      for (const scope of scopes) held.hold(scope)
      await placed(scopes)
    },
    [unsubscribe]: async (...args) => {
      for (const scope of refusedBy(unsubscribe, () => toScopes(...args))) held.letGo(scope)
      await Promise.resolve()
    },
  }
}
