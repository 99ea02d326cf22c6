import { Subscription, defer, type SchedulerLike, Observable, Subject, mergeMap } from 'rxjs'
import type { NodePort } from '../../node/port.js'
import { type Order, createVirtualConnection, type VirtualConnection } from './virtual-connection.js'
import { type ToTab, type ToWorkerMap, type WorkerPort, toWorkerMessage, type ToWorker } from './messages.js'
import { createSharedSocket, type SharedSocket } from './shared-socket.js'
import { aliveLock, type HoldLock } from './tab-session.js'
import { sizeOf } from './plain-data.js'

interface HubDeps {
  /** Opens the sockets of nodes. */
  readonly createPort: (maxFrameSize: number) => NodePort
  readonly holdLock: HoldLock
  /** The prefix of the locks' names. */
  readonly scope: string
  /** Random: names this run of the worker. */
  readonly epoch: string
  readonly scheduler: SchedulerLike
}

/** The sockets of the tabs of an origin that share by the same name. */
export interface Hub {
  /** Serves the tab of a port until its lock is free, or it is thrown out. */
  serve(port: WorkerPort, lock: string): Promise<void>
}

export function createHub({ createPort, holdLock, scope, epoch, scheduler }: HubDeps): Hub {
  const sockets = new Map<string, SharedSocket>()
  const tabs = new Set<(message: ToTab) => void>()
  let position = 0
  const order: Order = { next: () => ++position }
  /** Held again where a script of the origin has stolen it: tabs take a worker without it for dead, each time. */
  const holdAlive = async (): Promise<void> => {
    const { ended } = await holdLock(aliveLock(scope, epoch), new AbortController().signal)
    ended.catch(holdAlive).catch(() => undefined) // refused: its end is not noticed
  }
  const alive = holdAlive()

  const socketOf = (dial: ToWorkerMap['dial']): SharedSocket => {
    const { network, url, encoding, maxFrameSize, requestTimeout } = dial
    const key = JSON.stringify([network, url, encoding, maxFrameSize])
    const known = sockets.get(key)
    if (known !== undefined) return known
    const socket: SharedSocket = createSharedSocket({
      url,
      dial$: defer(() => createPort(maxFrameSize).dial({ url, encoding })),
      order,
      scheduler,
      requestTimeout,
      onEnded: () => {
        if (sockets.get(key) === socket) sockets.delete(key)
      },
    })
    sockets.set(key, socket)
    return socket
  }
  const announce = (): void => {
    for (const post of tabs) post({ type: 'epoch', epoch, tabs: tabs.size })
  }

  const serve: Hub['serve'] = async (port, lock) => {
    const post = (message: ToTab): void => port.post(message)
    const waiting = new AbortController()
    const lifetime = new Subscription(() => {
      waiting.abort()
      tabs.delete(post)
      port.close()
      announce()
    })
    const handle = createTab({ post, order, socketOf, lifetime, onAbuse: () => lifetime.unsubscribe() })
    port.receive(handle)
    try {
      await alive
      tabs.add(post)
      announce()
      const { release } = await holdLock(lock, waiting.signal)
      release()
    } catch {
      // refused locks: the tab gets no reply, or no more, and goes on alone
    }
    lifetime.unsubscribe()
  }
  return { serve }
}

interface TabDeps {
  readonly post: (message: ToTab) => void
  readonly order: Order
  readonly socketOf: (dial: ToWorkerMap['dial']) => SharedSocket
  /** The tab's: all that is done for it ends with it. */
  readonly lifetime: Subscription
  /** The tab posts what no tab of ours would. */
  readonly onAbuse: () => void
}

/** Calls of one tab in flight; the next ones wait. */
const MAX_CALLS = 64
/** Bytes of the calls that wait. */
const MAX_WAITING_BYTES = 256 * 2 ** 20

interface Connected {
  readonly virtual: VirtualConnection
  readonly socket: SharedSocket
  readonly calls: Map<bigint, Subscription>
}

/** Handles what a tab posts after its first message. Anything of another shape is dropped. */
function createTab({ post, order, socketOf, lifetime, onAbuse }: TabDeps): (data: unknown) => void {
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
