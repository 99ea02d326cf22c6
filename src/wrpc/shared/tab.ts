import { Observable, Subject, Subscription, mergeMap } from 'rxjs'
import type { Order } from './joined-calls.js'
import { toWorkerMessage, type ToTab, type ToWorker, type ToWorkerMap } from './messages.js'
import { sizeOf } from './plain-request.js'
import type { SharedSocket } from './shared-socket.js'
import { createVirtualConnection, type VirtualConnection } from './virtual-connection.js'

export interface TabDeps {
  readonly post: (message: ToTab) => void
  readonly order: Order
  readonly socketOf: (dial: ToWorkerMap['dial']) => SharedSocket
  /** The tab's: all that is done for it ends with it. */
  readonly lifetime: Subscription
  /** The tab posts what no tab of ours would. */
  readonly onAbuse: () => void
}

/** Calls of one tab in flight; the next ones wait. */
export const MAX_CALLS = 64
/** Bytes of the calls that wait. */
const MAX_WAITING_BYTES = 256 * 2 ** 20

interface Connected {
  readonly virtual: VirtualConnection
  readonly socket: SharedSocket
  readonly calls: Map<bigint, Subscription>
}

/** Handles what a tab posts after its first message. Anything of another shape is dropped. */
export function createTab({ post, order, socketOf, lifetime, onAbuse }: TabDeps): (data: unknown) => void {
  const connections = new Map<number, Connected>()
  const work$ = new Subject<Observable<never>>()
  lifetime.add(work$.pipe(mergeMap((work) => work, MAX_CALLS)).subscribe())
  let waiting = 0

  const dial = (message: ToWorkerMap['dial']): void => {
    const { connection } = message
    if (connections.has(connection)) return
    const virtual = createVirtualConnection(connection, post, order)
    const socket = socketOf(message)
    connections.set(connection, { virtual, socket, calls: new Map() })
    lifetime.add(virtual.lifetime)
    virtual.lifetime.add(() => connections.delete(connection))
    socket.join(virtual)
  }
  const call = (message: ToWorkerMap['call'], { virtual, socket, calls }: Connected): void => {
    const size = sizeOf(message.request)
    waiting += size
    if (waiting > MAX_WAITING_BYTES) {
      onAbuse()
      return
    }
    const lasting = new Subscription(() => calls.delete(message.id))
    calls.set(message.id, lasting)
    virtual.lifetime.add(lasting)
    const response$ = new Observable<never>((subscriber) => {
      waiting -= size
      lasting.add(() => subscriber.complete())
      if (lasting.closed) return
      const settled = (): void => lasting.unsubscribe()
      lasting.add(
        socket.call$(virtual, message).subscribe({
          next: (response) => virtual.settle(message, response),
          error: (error: unknown) => {
            virtual.fail(message, error)
            settled()
          },
          complete: settled,
        }),
      )
    })
    work$.next(response$)
  }
  const handle = (message: ToWorker): void => {
    if (message.type === 'dial') dial(message)
    const connected = 'connection' in message ? connections.get(message.connection) : undefined
    if (connected === undefined) return
    if (message.type === 'call') call(message, connected)
    else if (message.type === 'cancel') connected.calls.get(message.id)?.unsubscribe()
    else if (message.type === 'ack') connected.virtual.acknowledge(message.received)
    else if (message.type === 'close') connected.virtual.lifetime.unsubscribe()
  }
  return (data) => {
    const message = toWorkerMessage(data)
    if (message !== undefined) handle(message)
  }
}
