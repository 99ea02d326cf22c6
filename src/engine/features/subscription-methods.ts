import { deferSubscriptionMethods } from '../../streams/deferred-subscription-methods.js'
import type { SubscriptionMethods } from '../../streams/subscription-methods.js'
import type { ChainCore } from '../core.js'

/** Methods that subscribe to notifications; their subscriptions end with the core. */
export function subscriptionMethods(core: ChainCore): SubscriptionMethods {
  const { methods, teardown } = deferSubscriptionMethods(core)
  core.lifetime.add(teardown)
  return methods
}
