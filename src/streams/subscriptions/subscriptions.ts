import { BehaviorSubject, Subscription, distinctUntilChanged, timer, type Observable } from 'rxjs'
import type { NotificationScope } from '../../node/messages/records.js'
import type { Clock } from '../connection/quiet.js'
import { createDesiredSet, type DesiredSet } from './desired.js'
import { NOTHING_PLACED, type Placed } from './placed.js'

/** How long, in ms, a subscription outlives its last listener, so that a component that comes back costs nothing. */
const LINGER = 1_000

/** The node subscriptions of a core: wanted by listeners, placed on one connection after the other by whoever keeps that. */
export interface Subscriptions {
  /** Wants a scope until the result is unsubscribed; the node hears of it now, or with the next connection. */
  want(scope: NotificationScope): Subscription
  /** What is wanted, and what still lingers. */
  readonly desired: Pick<DesiredSet, 'scopes' | 'addresses' | 'changed$'>
  /** What the connection of now is subscribed to, and what it refused. Replays, emits only changes; nothing while there is none. */
  readonly placed$: Observable<Placed>
  /** Takes down what the connection of now is subscribed to. */
  readonly place: (placed: Placed) => void
  dispose(): void
}

export function createSubscriptions({ scheduler }: Pick<Clock, 'scheduler'>): Subscriptions {
  const desired = createDesiredSet()
  const placed$ = new BehaviorSubject(NOTHING_PLACED)
  const lifetime = new Subscription()
  return {
    want: (scope) => {
      desired.add(scope)
      return new Subscription(() => {
        lifetime.add(timer(LINGER, scheduler).subscribe(() => desired.remove(scope)))
      })
    },
    desired,
    placed$: placed$.pipe(distinctUntilChanged()),
    place: (placed) => placed$.next(placed),
    dispose: () => {
      lifetime.unsubscribe()
      placed$.complete()
    },
  }
}
