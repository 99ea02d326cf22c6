import { Subscription, finalize, map, share, type Observable } from 'rxjs'
import type { NodeNotification, RpcRequest } from '../../node/messages/records.js'
import { type ClosedReason, malformed, type NodeConnection } from '../../node/port.js'
import { encodeError, sizeOf } from './plain-data.js'
import { type ToTab, type ToWorkerMap, encodeResponse } from './messages.js'
import { NOTHING, deliver, type Subscribed } from './subscribed.js'
import type { UtxoColumns } from '../../model/utxo-columns/columns.js'
import { toUtxoColumns } from '../../model/utxo-columns/records.js'

/** The worker's end of one connection of a tab. */
export interface VirtualConnection {
  /** As a node numbers its connections: later ones have larger ids. */
  readonly id: bigint
  subscribed: Subscribed
  /** The keys of the scripts whose UTXOs it got since it subscribed to them. */
  readonly served: Set<string>
  /** The position of the last message that was posted. */
  readonly since: () => number
  readonly open: () => void
  readonly refuse: (error: unknown) => void
  /** Posts the part of a notification that the tab is subscribed to. `size`: about its bytes. */
  readonly notify: (notification: NodeNotification, size: number) => void
  readonly reportMalformed: (error: unknown) => void
  readonly settle: (call: ToWorkerMap['call'], response: unknown) => void
  readonly fail: (call: Pick<ToWorkerMap['call'], 'id' | 'method'>, error: unknown) => void
  readonly acknowledge: (received: number) => void
  /** Ends it, and says so to the tab. */
  readonly end: (reason: ClosedReason) => void
  /** The work for it: unsubscribed with it. */
  readonly lifetime: Subscription
}

/** Notifications that a tab may leave unread, and their bytes: the port of a frozen tab has no bound. */
export const MAX_UNREAD = 1_000
const MAX_UNREAD_BYTES = 16 * 2 ** 20

export function createVirtualConnection(
  connection: number,
  post: (message: ToTab) => void,
  order: Order,
): VirtualConnection {
  const lifetime = new Subscription()
  const unread: number[] = []
  let unreadBytes = 0
  let read = 0
  let since = order.next()
  const send = (message: ToTab): void => {
    if (lifetime.closed) return
    since = order.next()
    post(message)
  }
  const end = ({ code, reason }: ClosedReason): void => {
    send({ type: 'closed', connection, code, reason })
    lifetime.unsubscribe()
  }
  const self: VirtualConnection = {
    id: BigInt(since),
    subscribed: NOTHING,
    served: new Set(),
    since: () => since,
    lifetime,
    end,
    open: () => send({ type: 'open', connection }),
    refuse: (error) => {
      send({ type: 'refused', connection, error: encodeError(error, 'connect') })
      lifetime.unsubscribe()
    },
    notify: (notification, size) => {
      const delivered = deliver(self.subscribed, notification)
      if (delivered === null) return
      if (unread.length >= MAX_UNREAD || unreadBytes >= MAX_UNREAD_BYTES) {
        end({ reason: 'this tab does not read what it receives' })
        return
      }
      const bytes = delivered === notification ? size : sizeOf(delivered.data)
      unread.push(bytes)
      unreadBytes += bytes
      send({ type: 'notification', connection, notification: delivered })
    },
    reportMalformed: (error) => send({ type: 'malformed', connection, error: encodeError(error, 'subscribe') }),
    settle: ({ id, method, format }, response) =>
      send({ type: 'result', connection, id, method, format, response: encodeResponse(format, response) }),
    fail: ({ id, method }, error) => send({ type: 'error', connection, id, error: encodeError(error, method) }),
    acknowledge: (received) => {
      for (; read < received && unread.length > 0; read++) unreadBytes -= unread.shift() ?? 0
    },
  }
  return self
}

/** The position of an event in the order of a socket's calls and of what was posted to tabs. */
export interface Order {
  next(): number
}

type Call = Pick<ToWorkerMap['call'], 'method' | 'format' | 'request'>

/** Calls of a node's socket: identical read-only ones in flight are sent once. */
interface JoinedCalls {
  /** `since`: the position of the last message that was posted to the caller. */
  call$(call: Call, since: number): Observable<unknown>
}

interface InFlight {
  readonly sentAt: number
  readonly response$: Observable<unknown>
}

/**
 * A call joins another one only where its caller has received nothing since that was sent: the response may be of the
 * time right after it was sent, and the caller must not see a state older than one it has seen. A tab that subscribes
 * and then reads the chain would otherwise miss what changed in between.
 */
export function createJoinedCalls(connection: NodeConnection, order: Order): JoinedCalls {
  const inFlight = new Map<string, InFlight>()
  return {
    call$: (call, since) => {
      if (!isReadOnly(call.method)) return send$(connection, call)
      const key = toKey(call)
      const found = inFlight.get(key)
      if (found !== undefined && found.sentAt > since) return found.response$
      const one: InFlight = {
        sentAt: order.next(),
        response$: send$(connection, call).pipe(
          finalize(() => {
            if (inFlight.get(key) === one) inFlight.delete(key)
          }),
          share(),
        ),
      }
      inFlight.set(key, one)
      return one.response$
    },
  }
}

const isReadOnly = (method: string): boolean => /^(get|estimate)/.test(method)

const toKey = ({ method, format, request }: Call): string =>
  `${method} ${format} ${JSON.stringify(request, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))}`

/** Longer than any tab waits: its own deadline cancels the call. */
const TIMEOUT = { timeout: 86_400_000 }

type Addresses = RpcRequest<'getUtxosByAddresses'>

/** Also of a port that decodes only records. */
export const fetchColumns$ = (connection: NodeConnection, addresses: readonly string[]): Observable<UtxoColumns> =>
  connection.utxoColumns?.(addresses, TIMEOUT) ??
  connection.call('getUtxosByAddresses', { addresses }, TIMEOUT).pipe(
    map(({ entries }) => {
      const columns = toUtxoColumns(entries)
      if (columns === undefined) throw malformed('getUtxosByAddresses', 'an entry cannot exist')
      return columns
    }),
  )

function send$(connection: NodeConnection, { method, format, request }: Call): Observable<unknown> {
  const any = request as never // the node's codec validates it
  if (format === 'columns') return fetchColumns$(connection, (request as Addresses).addresses)
  if (format === 'ids' && connection.chainIds !== undefined) return connection.chainIds(any, TIMEOUT)
  return connection.call(method, any, TIMEOUT)
}
