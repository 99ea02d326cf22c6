import { Subscription } from 'rxjs'
import type { NotificationScope } from '../node/messages/records.js'
import { whenPlaced, type PlacementDeps } from './placement.js'
import { PLAIN_SCOPES, type PlainScopeName } from './plain-scopes.js'
import { requireAddresses } from './session/obstacles.js'
import type { NodeLink } from './session/node-link.js'

type PlainVerbs = Readonly<Record<`subscribe${PlainScopeName}` | `unsubscribe${PlainScopeName}`, () => Promise<void>>>

/**
 * A pair of verbs a scope. Each call counts: the node hears of the first `subscribe` and of the last `unsubscribe` of all
 * listeners only. A `subscribe` resolves once the node has placed it, at once where there is no connection (it is placed
 * with the next), and rejects with the node's refusal, which is tried again later. An address that the network does not
 * know is refused at once (`ChainRpcError`, `invalid-argument`), and nothing is wanted. An `unsubscribe` never rejects.
 */
export interface ScopeVerbs extends PlainVerbs {
  readonly subscribeUtxosChanged: (addresses: readonly string[]) => Promise<void>
  readonly unsubscribeUtxosChanged: (addresses: readonly string[]) => Promise<void>
  readonly subscribeVirtualChainChanged: (includeAcceptedTransactionIds: boolean) => Promise<void>
  readonly unsubscribeVirtualChainChanged: (includeAcceptedTransactionIds: boolean) => Promise<void>
}

/** The verbs of one listener, and what it has placed by them: ending `placed` takes all of it back. */
export interface ScopeHold {
  readonly verbs: ScopeVerbs
  readonly placed: Subscription
}

export type ScopeVerbsDeps = PlacementDeps & Pick<NodeLink, 'network'>

export function createScopeVerbs(node: ScopeVerbsDeps): ScopeHold {
  const held = new Map<string, Subscription[]>()
  const placed = new Subscription()

  const subscribe = async (...scopes: readonly NotificationScope[]): Promise<void> => {
    for (const scope of scopes) {
      const wanted = node.want(scope)
      placed.add(wanted)
      held.set(JSON.stringify(scope), [...(held.get(JSON.stringify(scope)) ?? []), wanted])
    }
    await Promise.all(scopes.map((scope) => whenPlaced(node, scope)))
  }
  const unsubscribe = (...scopes: readonly NotificationScope[]): Promise<void> => {
    for (const scope of scopes) held.get(JSON.stringify(scope))?.pop()?.unsubscribe()
    return Promise.resolve()
  }
  return {
    placed,
    verbs: {
      ...plainVerbs(subscribe, unsubscribe),
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

type Verb = (scope: NotificationScope) => Promise<void>

function plainVerbs(subscribe: Verb, unsubscribe: Verb): PlainVerbs {
  const pairs = Object.entries(PLAIN_SCOPES).flatMap(([name, type]) => [
    [`subscribe${name}`, () => subscribe({ type })],
    [`unsubscribe${name}`, () => unsubscribe({ type })],
  ])
  return Object.fromEntries(pairs) as PlainVerbs
}

/** Addresses are counted one by one, so that two sets may overlap. */
const toAddressScope = (address: string): NotificationScope => ({ type: 'utxos-changed', addresses: [address] })

const toChainScope = (includeAcceptedTransactionIds: boolean): NotificationScope => ({
  type: 'virtual-chain-changed',
  includeAcceptedTransactionIds,
})
