import { deferSubscriptionMethods } from '../../streams/deferred-subscription-methods.js'
import type { SubscriptionMethods } from '../../streams/subscription-methods.js'
import type { CoreParts } from '../core-parts.js'

/** Methods that subscribe to notifications; their subscriptions end with the core. */
export function subscriptionMethods(core: CoreParts): SubscriptionMethods {
  const { methods, teardown } = deferSubscriptionMethods(core)
  core.lifetime.add(teardown)
  return methods
}
