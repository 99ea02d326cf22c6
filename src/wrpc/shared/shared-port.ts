import { catchError, defer, filter, skip, take, tap, throwError, type Observable, type Subscription } from 'rxjs'
import { connectError } from '../../errors/rpc-error.js'
import type { Endpoint, NodeConnection, NodePort } from '../../node/port.js'
import type { Platform } from '../../platform/port.js'
import { dialShared$, type DialSharedDeps } from './dial-shared.js'
import { SessionEnded, createTabSession, type SharingFault, type TabSessionDeps } from './tab-session.js'
import type { Hub } from './hub.js'
import { PROTOCOL_VERSION, toWorkerMessage, type WorkerPort } from './messages.js'

/** How a tab is connected. `tabs`: how many share the worker. `ready`: it has no connection; the next one is shared. */
export type ConnectionSharing =
  | { readonly connection: 'shared'; readonly tabs: number }
  | { readonly connection: 'own'; readonly fault: SharingFault | 'ready' }

export interface SharedPortDeps
  extends
    Omit<TabSessionDeps, 'scheduler'>,
    Omit<DialSharedDeps, 'session$' | 'nextConnection' | 'network' | 'scheduler'> {
  readonly platform: Pick<Platform, 'scheduler' | 'visible$'>
  /** The network of the connection that is being dialled. */
  readonly network: () => DialSharedDeps['network']
  /** Opens connections of the tab's own. */
  readonly own: NodePort
  readonly onState: (state: ConnectionSharing) => void
  /** Unsubscribed with the engine. */
  readonly lifetime: Subscription
}

/** Ms after which a tab tries again a worker that did not respond. */
const RETRY_AFTER = 60_000

/**
 * A `NodePort` over the shared worker. A tab whose worker cannot be loaded dials by itself for good; one whose worker
 * does not respond tries it again with the first connection after a minute, or after the page became visible.
 */
export function createSharedPort(deps: SharedPortDeps): NodePort {
  const { platform, own, onState } = deps
  const { scheduler } = platform
  let tabs = 1
  let connections = 0
  let retryAt = -Infinity
  const session$ = createTabSession({ ...deps, scheduler }, (count) => {
    tabs = count
    if (retryAt < scheduler.now()) onState({ connection: 'shared', tabs })
  })
  const shown$ = platform.visible$.pipe(skip(1), filter(Boolean), take(1))
  const fallBack = (fault: SharingFault, endpoint: Endpoint): Observable<NodeConnection> => {
    retryAt = fault === 'blocked' ? Infinity : scheduler.now() + RETRY_AFTER
    if (fault === 'unresponsive') deps.lifetime.add(shown$.subscribe(() => (retryAt = -Infinity)))
    onState({ connection: 'own', fault })
    return own.dial(endpoint)
  }
  const dial = (endpoint: Endpoint): Observable<NodeConnection> =>
    dialShared$(endpoint, {
      ...deps,
      network: deps.network(),
      scheduler,
      session$,
      nextConnection: () => ++connections,
    }).pipe(
      tap(({ closed$ }) => {
        onState({ connection: 'shared', tabs })
        closed$.subscribe(() => onState({ connection: 'own', fault: 'ready' })) // it emits once
      }),
      catchError((error: unknown) => {
        if (!(error instanceof SessionEnded)) return throwError(() => error)
        if (error.fault !== null) return fallBack(error.fault, endpoint)
        const { message: why } = error
        return throwError(() => connectError(error, { code: 'connect-failed', url: endpoint.url, why }))
      }),
    )
  return { dial: (endpoint) => defer(() => (scheduler.now() < retryAt ? own.dial(endpoint) : dial(endpoint))) }
}

/** The shared worker: the hubs of an origin, one for each name by which tabs share. */
interface Reception {
  /** Takes the port of a tab, and has it served by the hub that its first message names. */
  accept(port: WorkerPort): void
}

/** Ports of one worker, and hubs. */
const MAX_PORTS = 64

/** The lock of a tab, after the scope of its hub. */
const TAB_LOCK = /^(vue-chain\/[a-z0-9-]{1,40}\/\d+)\/tab\/[\w.-]{1,64}$/

/** The scope of the locks of tabs that share by a name. */
export const scopeOfName = (name: string): string => `vue-chain/${name}/${PROTOCOL_VERSION}`

export function createReception(createHub: (scope: string) => Hub): Reception {
  const hubs = new Map<string, Hub>()
  let ports = 0

  const hubOf = (scope: string): Hub | undefined => {
    if (!hubs.has(scope) && hubs.size < MAX_PORTS) hubs.set(scope, createHub(scope))
    return hubs.get(scope)
  }
  return {
    accept: (port) => {
      if (ports >= MAX_PORTS) {
        port.close()
        return
      }
      ports++
      port.receive((data) => {
        const message = toWorkerMessage(data)
        if (message?.type !== 'hello' || message.version !== PROTOCOL_VERSION) return
        const scope = TAB_LOCK.exec(message.lock)?.[1]
        const hub = scope === undefined ? undefined : hubOf(scope)
        void hub?.serve(port, message.lock).finally(() => ports--)
      })
    },
  }
}
