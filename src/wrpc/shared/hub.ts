import { Subscription, defer, type SchedulerLike } from 'rxjs'
import type { NodePort } from '../../node/port.js'
import type { Order } from './joined-calls.js'
import type { ToTab, ToWorkerMap, WorkerPort } from './messages.js'
import { createSharedSocket, type SharedSocket } from './shared-socket.js'
import { aliveLock, type HoldLock } from './tab-session.js'
import { createTab } from './tab.js'

export interface HubDeps {
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
