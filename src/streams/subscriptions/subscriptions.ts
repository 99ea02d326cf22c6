import { BehaviorSubject, Subscription, distinctUntilChanged, timer, type Observable } from 'rxjs'
import type { NotificationScope } from '../../node/messages/records.js'
import type { Clock } from '../connection/idle.js'
import { createDesiredSet, type DesiredSet } from './desired.js'
import { NOTHING_PLACED, type Placed } from './placed.js'

/** Ms that a scope stays subscribed after its last release, so that a remounted component causes no requests. */
const RELEASE_DELAY = 1_000

/** The node subscriptions of a core: acquired by streams, placed on each connection by its session. */
export interface Subscriptions {
  /** Acquires a scope until the result is unsubscribed. It is placed now, or on the next connection. */
  acquire(scope: NotificationScope): Subscription
  /** The acquired scopes, and those released less than a second ago. */
  readonly desired: Pick<DesiredSet, 'scopes' | 'addresses' | 'changed$' | 'counts'>
  /** The subscriptions placed on the current connection, and the refused ones. Replays, emits only changes. */
  readonly placed$: Observable<Placed>
  /** Records the subscriptions of the current connection. */
  readonly setPlaced: (placed: Placed) => void
  dispose(): void
}

export function createSubscriptions({ scheduler }: Pick<Clock, 'scheduler'>): Subscriptions {
  const desired = createDesiredSet()
  const placed$ = new BehaviorSubject(NOTHING_PLACED)
  const lifetime = new Subscription()
  return {
    acquire: (scope) => {
      desired.add(scope)
      return new Subscription(() => {
        lifetime.add(timer(RELEASE_DELAY, scheduler).subscribe(() => desired.remove(scope)))
      })
    },
    desired,
    placed$: placed$.pipe(distinctUntilChanged()),
    setPlaced: (placed) => placed$.next(placed),
    dispose: () => {
      lifetime.unsubscribe()
      placed$.complete()
    },
  }
}
