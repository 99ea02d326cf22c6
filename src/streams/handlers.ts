import { EMPTY, type Observable, Subscription } from 'rxjs'
import type { RpcEvent, RpcEventType } from '../model/event.js'
import type { RpcEventMap } from '../node/messages/records.js'
import { lazyMethods } from '../loading/lazy-methods.js'
import { PLAIN_SCOPES } from './session/events.js'
import type {
  OwnedSubscriptions,
  SubscriptionMethods,
  SubscriptionMethodsDeps,
  createSubscriptionMethods,
} from './subscription-methods.js'

export type RpcEventHandler<Type extends RpcEventType> = (event: RpcEvent<RpcEventMap[Type]>) => void

/** Event handlers of one caller. */
export interface Handlers {
  /** Adds `handler` for a type; adding it again has no effect. Returns a function that removes it. */
  readonly on: <Type extends RpcEventType>(type: Type, handler: RpcEventHandler<Type>) => () => void
  /** Removes `handler`; no effect if it was not added. */
  readonly off: <Type extends RpcEventType>(type: Type, handler: RpcEventHandler<Type>) => void
}

/**
 * The node is subscribed to an event type while it has handlers. Unsubscribing `teardown` removes all handlers; later
 * ones are ignored.
 */
export function createHandlers(
  events$: <Type extends RpcEventType>(type: Type) => Observable<RpcEvent<RpcEventMap[Type]>>,
  teardown: Subscription,
): Handlers {
  const subscriptionsByType = new Map<RpcEventType, Map<unknown, Subscription>>()
  const subscriptionsOf = (type: RpcEventType): Map<unknown, Subscription> => {
    const subscriptions = subscriptionsByType.get(type) ?? new Map<unknown, Subscription>()
    subscriptionsByType.set(type, subscriptions)
    return subscriptions
  }
  const off = (type: RpcEventType, handler: unknown): void => {
    subscriptionsOf(type).get(handler)?.unsubscribe()
    subscriptionsOf(type).delete(handler)
  }
  return {
    on: (type, handler) => {
      const source$ = teardown.closed ? EMPTY : events$(type)
      const subscription = subscriptionsOf(type).get(handler) ?? source$.subscribe(handler)
      subscriptionsOf(type).set(handler, subscription)
      teardown.add(subscription)
      return () => {
        if (subscriptionsOf(type).get(handler) === subscription) off(type, handler) // else it was added again
      }
    },
    off,
  }
}

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
