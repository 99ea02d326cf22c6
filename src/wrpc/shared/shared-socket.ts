import {
  EMPTY,
  Subscription,
  catchError,
  defer,
  map,
  merge,
  of,
  take,
  tap,
  timeout,
  type Observable,
  type SchedulerLike,
} from 'rxjs'
import { connectError, type ChainRpcError } from '../../errors/rpc-error.js'
import type { ClosedReason, NodeConnection } from '../../node/port.js'
import type { RpcRequest } from '../../node/messages/records.js'
import { createJoinedCalls, fetchColumns$, type Order, type VirtualConnection } from './virtual-connection.js'
import type { ToWorkerMap } from './messages.js'
import { sizeOf } from './plain-data.js'
import { createSnapshots } from './snapshots.js'
import { createSubscriptionQueue } from './subscription-queue.js'
import { scriptKeyOf, type Subscribed } from './subscribed.js'

/** A node's socket, for all virtual connections to its endpoint. */
export interface SharedSocket {
  /** Opens a virtual connection, now or once the socket is open. */
  join(virtual: VirtualConnection): void
  /** The response to a call, plain. Cold. */
  call$(virtual: VirtualConnection, call: ToWorkerMap['call']): Observable<unknown>
}

export interface SharedSocketDeps {
  readonly dial$: Observable<NodeConnection>
  readonly url: string
  readonly order: Order
  readonly scheduler: SchedulerLike
  /** The timeout of a subscription, ms. */
  readonly requestTimeout: number
  /** The socket is not used any more. */
  readonly onEnded: () => void
}

/** Ms within which an open socket has to receive something before it is used for another tab. */
const PROBE_TIMEOUT = 8_000

type Opened = ReturnType<typeof openSocket>

/** Dials for the first virtual connection; closes after the last. */
export function createSharedSocket(deps: SharedSocketDeps): SharedSocket {
  const { dial$, url, order, scheduler, requestTimeout, onEnded } = deps
  const all = new Set<VirtualConnection>()
  /** Those that wait until the open socket has received something. */
  const joining = new Set<VirtualConnection>()
  let isProbing = false
  let opened: Opened | undefined
  let dialling = Subscription.EMPTY
  const lifetime = new Subscription()

  const end = (notify: (virtual: VirtualConnection) => void): void => {
    if (lifetime.closed) return
    lifetime.unsubscribe()
    onEnded()
    for (const virtual of [...all]) notify(virtual)
  }
  const open = (connection: NodeConnection): void => {
    opened = openSocket(connection, all, { order, scheduler, requestTimeout })
    lifetime.add(() => connection.close())
    lifetime.add(opened.lifetime)
    lifetime.add(connection.closed$.subscribe((reason) => end((virtual) => virtual.end(reason))))
    for (const virtual of all) virtual.open()
  }
  const dial = (): void => {
    dialling.unsubscribe()
    dialling = dial$.subscribe({ next: open, error: (error: unknown) => end((one) => one.refuse(error)) })
    lifetime.add(dialling)
  }
  /** The first one leaves a dial that hangs after its timeout: the others, which came later, would wait for it. */
  const leave = (virtual: VirtualConnection): void => {
    const [first] = all
    all.delete(virtual)
    joining.delete(virtual)
    if (all.size === 0) end(() => undefined)
    else if (opened !== undefined) opened.sync()
    else if (virtual === first && !lifetime.closed) dial()
  }
  /** One for all that join meanwhile, and not ended by a tab that does not wait for it. */
  const probe = ({ isAlive$ }: Opened): void => {
    if (isProbing) return
    isProbing = true
    lifetime.add(
      isAlive$.subscribe((isAlive) => {
        isProbing = false
        if (isAlive) for (const virtual of [...joining]) virtual.open()
        else end((virtual) => (joining.has(virtual) ? virtual.refuse(stalled(url)) : virtual.end(STALLED)))
        joining.clear()
      }),
    )
  }
  return {
    join: (virtual) => {
      const isFirst = all.size === 0
      all.add(virtual)
      virtual.lifetime.add(() => leave(virtual))
      if (isFirst) dial()
      else if (opened !== undefined) {
        joining.add(virtual)
        probe(opened)
      }
    },
    call$: (virtual, call) => opened?.call$(virtual, call) ?? EMPTY,
  }
}

const STALLED: ClosedReason = { reason: 'it has stopped sending' }

const stalled = (url: string): ChainRpcError =>
  connectError(undefined, { code: 'connect-failed', url, why: STALLED.reason })

/** What an open socket does for its virtual connections. */
function openSocket(
  connection: NodeConnection,
  all: ReadonlySet<VirtualConnection>,
  { order, scheduler, requestTimeout }: Pick<SharedSocketDeps, 'order' | 'scheduler' | 'requestTimeout'>,
) {
  const snapshots = createSnapshots((addresses) => fetchColumns$(connection, addresses))
  const isSubscribed = ({ utxos }: Subscribed, key: string): boolean => utxos === 'all' || utxos.has(key)
  const queue = createSubscriptionQueue({
    connection,
    all,
    timeout: requestTimeout,
    onPlaced: (placed) => snapshots.forget((key) => isSubscribed(placed, key)),
  })
  const joined = createJoinedCalls(connection, order)
  const { lifetime } = queue
  lifetime.add(
    connection.notifications$.subscribe((notification) => {
      if (notification.type === 'utxos-changed') snapshots.apply(notification.data)
      if (notification.type === 'pruning-point-utxo-set-override') snapshots.clear()
      const size = sizeOf(notification.data)
      for (const virtual of [...all]) virtual.notify(notification, size)
    }),
  )
  lifetime.add(
    connection.malformed$?.subscribe((error) => {
      snapshots.clear()
      for (const virtual of [...all]) virtual.reportMalformed(error)
    }),
  )
  /**
   * From the sets that are kept, but once for each connection: a tab that requests again doubts what it has, as after a
   * notification that came twice or late, and the kept set may have taken that for a change.
   */
  const columns$ = (call: ToWorkerMap['call'], virtual: VirtualConnection): Observable<unknown> => {
    const { addresses } = call.request as RpcRequest<'getUtxosByAddresses'>
    const byKey = keysOf(addresses, virtual)
    const keys = [...byKey.keys()]
    const placed = queue.placed()
    const isKept = keys.length > 0 && keys.every((key) => isSubscribed(placed, key))
    if (!isKept) return joined.call$(call, virtual.since())
    if (keys.some((key) => virtual.served.has(key))) {
      snapshots.forget((key) => !byKey.has(key))
      return joined.call$(call, virtual.since())
    }
    for (const key of keys) virtual.served.add(key)
    return snapshots.columns$(byKey)
  }
  return {
    lifetime,
    sync: queue.sync,
    /** Whether the node sends anything: a stalled socket has not closed. */
    isAlive$: merge(connection.call('ping', {}), connection.notifications$).pipe(
      take(1),
      map(() => true),
      timeout({ first: Math.min(PROBE_TIMEOUT, requestTimeout), scheduler }),
      catchError(() => of(false)),
    ),
    call$: (virtual: VirtualConnection, call: ToWorkerMap['call']): Observable<unknown> => {
      if (call.method === 'subscribe' || call.method === 'unsubscribe') {
        const { scope } = call.request as RpcRequest<'subscribe'>
        const response = call.method === 'subscribe' ? { id: virtual.id } : {}
        const changed$ = queue.change$(virtual, { method: call.method, scope })
        const addresses = scope.type === 'utxos-changed' ? scope.addresses : []
        return changed$.pipe(
          tap(() => keysOf(addresses, virtual).forEach((_, key) => virtual.served.delete(key))),
          map(() => response),
        )
      }
      return call.format === 'columns' ? defer(() => columns$(call, virtual)) : joined.call$(call, virtual.since())
    },
  }
}

/** Addresses by the keys of their scripts, which are decoded only where the tab is not subscribed to them. */
function keysOf(addresses: readonly string[], { subscribed: { utxos } }: VirtualConnection): Map<string, string> {
  const known = new Map(utxos === 'all' ? [] : Array.from(utxos, ([key, address]) => [address, key] as const))
  return new Map(addresses.map((address) => [known.get(address) ?? scriptKeyOf(address), address]))
}
