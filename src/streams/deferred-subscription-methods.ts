import { Subscription } from 'rxjs'
import { loadCode } from '../loading/load-code.js'
import { onceLoaded } from '../loading/once-loaded.js'
import { PLAIN_SCOPES } from './plain-scopes.js'
import type { OwnedSubscriptions, SubscriptionMethods, SubscriptionMethodsDeps } from './subscription-methods.js'

type Method = (...args: unknown[]) => Promise<void>

/**
 * Subscription methods whose implementation is loaded with the first call, since most apps use streams only. Calls keep
 * their order. A failed load rejects the call with `ChainError` (`code-not-loaded`).
 */
export function deferSubscriptionMethods(node: SubscriptionMethodsDeps): OwnedSubscriptions {
  const teardown = new Subscription()
  const load = onceLoaded(async () => {
    const { createSubscriptionMethods } = await loadCode(() => import('./subscription-methods.js'))
    const subscriptions = createSubscriptionMethods(node)
    teardown.add(subscriptions.teardown)
    return subscriptions.methods
  })
  const deferred = methodNames().map((name) => {
    const method: Method = async (...args) => ((await load())[name] as Method)(...args)
    return [name, method]
  })
  return { teardown, methods: Object.fromEntries(deferred) as SubscriptionMethods }
}

const methodNames = (): (keyof SubscriptionMethods)[] =>
  [...Object.keys(PLAIN_SCOPES), 'UtxosChanged', 'VirtualChainChanged'].flatMap(
    (scope) => [`subscribe${scope}`, `unsubscribe${scope}`] as (keyof SubscriptionMethods)[],
  )
