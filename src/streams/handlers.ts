import type { Observable, Subscription } from 'rxjs'
import type { RpcEvent, RpcEventType } from '../model/event.js'
import type { RpcEventMap } from '../node/messages/records.js'

export type RpcEventHandler<Type extends RpcEventType> = (event: RpcEvent<RpcEventMap[Type]>) => void

/** Functions that hear events, as one listener's own. */
export interface Handlers {
  /** Has `handler` hear each event of a type, once, however often it is added. Returns its way out. */
  readonly on: <Type extends RpcEventType>(type: Type, handler: RpcEventHandler<Type>) => () => void
  /** Lets `handler` go; one that was never added is nobody's loss. */
  readonly off: <Type extends RpcEventType>(type: Type, handler: RpcEventHandler<Type>) => void
  /** Lets all of them go. */
  readonly clear: () => void
}

/** A listener's handlers over the event streams. The node is subscribed to what they hear while they hear it. */
export function createHandlers(
  events$: <Type extends RpcEventType>(type: Type) => Observable<RpcEvent<RpcEventMap[Type]>>,
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
      const subscription = subscriptionsOf(type).get(handler) ?? events$(type).subscribe(handler)
      subscriptionsOf(type).set(handler, subscription)
      return () => {
        if (subscriptionsOf(type).get(handler) === subscription) off(type, handler) // else it was let go, and added anew
      }
    },
    off,
    clear: () => {
      for (const [type, subscriptions] of heard) for (const handler of subscriptions.keys()) off(type, handler)
    },
  }
}
