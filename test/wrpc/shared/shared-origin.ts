import { Subject, Subscription, of } from 'rxjs'
import type { NodePort } from '../../../src/node/port.js'
import { holdLock } from '../../../src/platform/tabs.js'
import type { Platform } from '../../../src/platform/port.js'
import { createNodePort, createNodeConnection } from '../../../src/wrpc/client.js'
import { createHub } from '../../../src/wrpc/shared/hub.js'
import { toWorkerPort, type WorkerPort } from '../../../src/wrpc/shared/messages.js'
import {
  createReception,
  scopeOfName,
  createSharedPort,
  type ConnectionSharing,
} from '../../../src/wrpc/shared/shared-port.js'
import { aliveLock } from '../../../src/wrpc/shared/tab-session.js'
import { createFakeLocks } from '../../platform/fake-locks.js'

export interface SharedTab {
  readonly port: NodePort
  /** What the tab has reported, oldest first. */
  readonly states: readonly ConnectionSharing[]
  /** The tab vanishes: its locks become free, and nothing else is said. */
  crash(): void
  /** The page comes back from the back/forward cache. */
  restore(): void
}

type OriginPlatform = Pick<Platform, 'openSocket' | 'scheduler'>

/** An origin whose tabs share a worker, in one process: locks are fakes, ports are real. */
export function createSharedOrigin(
  platform: OriginPlatform,
  createPort = (maxFrameSize: number): NodePort => createNodePort(platform, { maxFrameSize }),
) {
  const locks = createFakeLocks()
  const opened = new Subscription()
  let epochs = 0

  function startWorker() {
    const { manager, close } = locks.openTab()
    const epoch = `epoch-${++epochs}`
    const reception = createReception((scope) =>
      createHub({
        createPort,
        holdLock: (name, signal) => holdLock(manager, name, signal),
        scope,
        epoch,
        scheduler: platform.scheduler,
      }),
    )
    return { reception, close }
  }
  let worker = startWorker()

  /** `connectWorker`: what the browser hands to a tab instead of a port of the worker. */
  function openTab(connectWorker: (onBlocked: () => void) => WorkerPort = connectHub, name = 'test'): SharedTab {
    const { manager, close } = locks.openTab()
    const restored$ = new Subject<void>()
    const states: ConnectionSharing[] = []
    let ids = 0
    const port = createSharedPort({
      connectWorker,
      holdLock: (name, signal) => holdLock(manager, name, signal),
      scope: scopeOfName(name),
      newId: () => `${String(epochs)}-${String(++ids)}-${String(Math.random())}`,
      restored$,
      createNodeConnection,
      requestTimeout: 60_000,
      maxFrameSize: 2 ** 28,
      platform: { scheduler: platform.scheduler, visible$: of(true) },
      network: () => 'simnet',
      own: createPort(2 ** 28),
      onState: (state) => states.push(state),
      lifetime: opened,
    })
    return { port, states, crash: close, restore: () => restored$.next() }
  }
  function connectHub(): WorkerPort {
    const { port1, port2 } = new MessageChannel()
    opened.add(() => port1.close())
    worker.reception.accept(toWorkerPort(port2))
    return toWorkerPort(port1)
  }
  return {
    openTab,
    /** The worker dies without a word, and the next tab starts another one. */
    crashWorker() {
      worker.close()
      worker = startWorker()
    },
    connectHub,
    /** Another script of the origin takes the lock of the worker by force, and gives it back. */
    async stealWorkerLock() {
      const { manager } = locks.openTab()
      const name = aliveLock(scopeOfName('test'), `epoch-${epochs}`)
      await manager.request(name, { steal: true }, () => Promise.resolve())
    },
    close: () => opened.unsubscribe(),
  }
}
