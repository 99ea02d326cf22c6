import { EMPTY, type Observable, type Subscription } from 'rxjs'
import type { RpcEvent, RpcEventType } from '../model/event.js'
import type { RpcEventMap } from '../node/messages/records.js'

export type RpcEventHandler<Type extends RpcEventType> = (event: RpcEvent<RpcEventMap[Type]>) => void

/** Functions that hear events, as one listener's own. */
export interface Handlers {
  /** Has `handler` hear each event of a type, once, however often it is added. Returns its way out. */
  readonly on: <Type extends RpcEventType>(type: Type, handler: RpcEventHandler<Type>) => () => void
  /** Lets `handler` go; one that was never added is nobody's loss. */
  readonly off: <Type extends RpcEventType>(type: Type, handler: RpcEventHandler<Type>) => void
}

/**
 * A listener's handlers over the event streams. The node is subscribed to what they hear while they hear it. All are let go
 * when `placed` ends, and one that comes later hears nothing: its listener is gone.
 */
export function createHandlers(
  events$: <Type extends RpcEventType>(type: Type) => Observable<RpcEvent<RpcEventMap[Type]>>,
  placed: Subscription,
): Handlers {
  const heard = new Map<RpcEventType, Map<unknown, Subscription>>()
  const subscriptionsOf = (type: RpcEventType): Map<unknown, Subscription> => {
    const subscriptions = heard.get(type) ?? new Map<unknown, Subscription>()
    heard.set(type, subscriptions)
    return subscriptions
  }
  const off = (type: RpcEventType, handler: unknown): void => {
    subscriptionsOf(type).get(handler)?.unsubscribe()
    subscriptionsOf(type).delete(handler)
  }
  return {
    on: (type, handler) => {
      const heard$ = placed.closed ? EMPTY : events$(type)
      const subscription = subscriptionsOf(type).get(handler) ?? heard$.subscribe(handler)
      subscriptionsOf(type).set(handler, subscription)
      placed.add(subscription)
      return () => {
        if (subscriptionsOf(type).get(handler) === subscription) off(type, handler) // else it was let go, and added anew
      }
    },
    off,
  }
}
