import { Subscription } from 'rxjs'
import { lazyMethods } from '../loading/lazy-methods.js'
import { loadCode } from '../loading/load-code.js'
import { PLAIN_SCOPES } from './plain-scopes.js'
import type { OwnedSubscriptions, SubscriptionMethods, SubscriptionMethodsDeps } from './subscription-methods.js'

/**
 * Subscription methods whose implementation is loaded with the first call, since most apps use streams only. Calls keep
 * their order. A failed load rejects the call with `ChainError` (`code-not-loaded`).
 */
export function deferSubscriptionMethods(node: SubscriptionMethodsDeps): OwnedSubscriptions {
  const teardown = new Subscription()
  const methods = lazyMethods(methodNames(), async () => {
    const { createSubscriptionMethods } = await loadCode(() => import('./subscription-methods.js'))
    const subscriptions = createSubscriptionMethods(node)
    teardown.add(subscriptions.teardown)
    return subscriptions.methods
  })
  return { teardown, methods }
}

const methodNames = (): (keyof SubscriptionMethods)[] =>
  [...Object.keys(PLAIN_SCOPES), 'UtxosChanged', 'VirtualChainChanged'].flatMap(
    (scope) => [`subscribe${scope}`, `unsubscribe${scope}`] as (keyof SubscriptionMethods)[],
  )
