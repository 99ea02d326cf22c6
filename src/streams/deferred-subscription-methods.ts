import { Subscription } from 'rxjs'
import { lazyMethods } from '../loading/lazy-methods.js'
import { PLAIN_SCOPES } from './plain-scopes.js'
import type {
  OwnedSubscriptions,
  SubscriptionMethods,
  SubscriptionMethodsDeps,
  createSubscriptionMethods,
} from './subscription-methods.js'

/**
 * Subscription methods whose implementation `load` loads with the first call, since most apps use streams only. Calls
 * keep their order. A failed load rejects the call with `ChainError` (`code-not-loaded`).
 */
export function deferSubscriptionMethods(
  node: SubscriptionMethodsDeps,
  load: () => Promise<typeof createSubscriptionMethods>,
): OwnedSubscriptions {
  const teardown = new Subscription()
  const methods = lazyMethods(methodNames(), async () => {
    const create = await load()
    const subscriptions = create(node)
    teardown.add(subscriptions.teardown)
    return subscriptions.methods
  })
  return { teardown, methods }
}

const methodNames = (): (keyof SubscriptionMethods)[] =>
  [...Object.keys(PLAIN_SCOPES), 'UtxosChanged', 'VirtualChainChanged'].flatMap(
    (scope) => [`subscribe${scope}`, `unsubscribe${scope}`] as (keyof SubscriptionMethods)[],
  )
