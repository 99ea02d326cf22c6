import { Subscription } from 'rxjs'
import type { NodeNotification } from '../../node/messages/records.js'
import type { ClosedReason } from '../../node/port.js'
import { encodeError } from './error-facts.js'
import type { Order } from './joined-calls.js'
import type { ToTab, ToWorkerMap } from './messages.js'
import { sizeOf } from './plain-request.js'
import { encodeResponse } from './responses.js'
import { NOTHING, deliver, type Subscribed } from './subscribed.js'

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
export const MAX_UNREAD_BYTES = 16 * 2 ** 20

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
