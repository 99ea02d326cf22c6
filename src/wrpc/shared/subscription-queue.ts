import {
  EMPTY,
  Observable,
  Subject,
  catchError,
  concatMap,
  defer,
  expand,
  ignoreElements,
  of,
  tap,
  type Subscription,
} from 'rxjs'
import type { NodeConnection } from '../../node/port.js'
import {
  NOTHING,
  nextSubscription,
  reduceSubscribed,
  unionOf,
  type Subscribed,
  type SubscriptionCommand,
} from './subscribed.js'
import type { VirtualConnection } from './virtual-connection.js'

export interface SubscriptionQueue {
  /** Changes the subscriptions of a virtual connection, then those of the node, where the union changes. Cold. */
  change$(virtual: VirtualConnection, command: SubscriptionCommand): Observable<void>
  /** To be called after a virtual connection has ended. */
  readonly sync: () => void
  /** What the node is subscribed to. */
  readonly placed: () => Subscribed
  readonly lifetime: Subscription
}

export interface SubscriptionQueueDeps {
  readonly connection: NodeConnection
  readonly all: ReadonlySet<VirtualConnection>
  readonly onPlaced: (placed: Subscribed) => void
  /** Of one call, ms: the next ones wait for it. */
  readonly timeout: number
}

/** The subscriptions of a node's socket, the union of its virtual connections, changed by one call after the other. */
export function createSubscriptionQueue({
  connection,
  all,
  onPlaced,
  timeout,
}: SubscriptionQueueDeps): SubscriptionQueue {
  const work$ = new Subject<Observable<never>>()
  const lifetime = work$.pipe(concatMap((work) => work)).subscribe()
  let placed = NOTHING

  const place = (next: Subscribed): void => {
    placed = next
    onPlaced(placed)
  }
  /** An unsubscription that fails counts as done: its notifications have no subscriber. */
  const execute$ = (command: SubscriptionCommand): Observable<unknown> => {
    const { method, scope } = command
    const call$: Observable<unknown> = connection.call(method, { scope }, { timeout })
    const done$ = method === 'subscribe' ? call$ : call$.pipe(catchError(() => of(undefined)))
    return done$.pipe(tap(() => place(reduceSubscribed(placed, command))))
  }
  /** Brings the node closer to the union, until nothing differs. */
  const sync$: Observable<unknown> = of(undefined).pipe(
    expand(() => {
      const command = nextSubscription(placed, unionOf([...all].map(({ subscribed }) => subscribed)))
      return command === null ? EMPTY : execute$(command)
    }),
  )
  return {
    change$: (virtual, command) =>
      new Observable((subscriber) => {
        const apply$ = defer(() => {
          const before = virtual.subscribed
          // before the node's reply: it may notify first
          virtual.subscribed = reduceSubscribed(before, command)
          return sync$.pipe(tap({ error: () => (virtual.subscribed = before) }))
        })
        const settled$ = apply$.pipe(
          ignoreElements(),
          tap({
            error: (error) => subscriber.error(error),
            complete: () => {
              subscriber.next()
              subscriber.complete()
            },
          }),
          catchError(() => EMPTY),
        )
        work$.next(settled$)
      }),
    sync: () =>
      work$.next(
        sync$.pipe(
          ignoreElements(),
          catchError(() => EMPTY),
        ),
      ),
    placed: () => placed,
    lifetime,
  }
}
