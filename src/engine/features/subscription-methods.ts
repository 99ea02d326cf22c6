import { loadCode } from '../../loading/load-code.js'
import { deferSubscriptionMethods } from '../../streams/handlers.js'
import type { OwnedSubscriptions, SubscriptionMethods } from '../../streams/subscription-methods.js'
import type { CoreParts } from '../core-parts.js'

/** Methods that subscribe to notifications; their subscriptions end with the core. */
export function subscriptionMethods(core: CoreParts): SubscriptionMethods {
  const { methods, teardown } = ownedSubscriptionMethods(core)
  core.lifetime.add(teardown)
  return methods
}

/** The same; their subscriptions end with `teardown`. */
export const ownedSubscriptionMethods = (core: CoreParts): OwnedSubscriptions =>
  deferSubscriptionMethods(core, async () => (await loadCode(() => import('../open-rpc.js'))).createSubscriptionMethods)
