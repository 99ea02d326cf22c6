import { distinctUntilChanged, map, type BehaviorSubject, type Observable } from 'rxjs'
import type { ChainNetwork } from '../model/network.js'
import type { ConnectionKeeper } from '../streams/connection/connection.js'
import type { ConnectionState } from '../streams/connection/state.js'
import { isSameState, toConnectionState } from '../streams/connection/view.js'
import type { RpcOptions } from './options.js'
import { checkOptions } from './check-options.js'
import { toTarget, type ResolvedOptions } from './resolve-options.js'

/** Who dials, and who hangs up. */
export interface ConnectionControl {
  /**
   * The connection. Hot and shared: a late subscriber gets the current state at once, and then every change in the order
   * in which it came about, also where one listener's deeds bring about the next. Emits only changes. A failure is a value
   * in it: it never errors. Completes with the engine, disconnected. Watching it dials nothing.
   */
  readonly state$: Observable<ConnectionState>
  /**
   * Resolves once connected; `options` hold for this one connection. Concurrent calls with the same options share one
   * attempt. Rejects with `ChainRpcError('connect', cause)`: the last attempt's failure after the last retry,
   * `superseded` by a call with other options, `cancelled` by `disconnect()`; with `ChainError` `invalid-option`.
   */
  connect(options?: RpcOptions): Promise<void>
  /** Ends the connection and whatever was under way. Never rejects. */
  disconnect(): Promise<void>
  /** Hangs up and dials anew, to the same target. Resolves and rejects as `connect` does. */
  reconnect(): Promise<void>
}

/** The connection in the terms of options. `options$` holds what the engine's own are just now. */
export function createConnectionControl<Session>(
  connection: ConnectionKeeper<Session>,
  options$: BehaviorSubject<ResolvedOptions>,
): ConnectionControl {
  return {
    state$: connection.state$.pipe(map(toConnectionState), distinctUntilChanged(isSameState)),
    connect: async (override) => connection.connect(toTarget(options$.value, override)),
    reconnect: () => connection.reconnect(),
    disconnect: () => {
      connection.disconnect()
      return Promise.resolve()
    },
  }
}

/** Makes another network the engine's own. Endpoints that the options gave for the old one are left behind, for the same one kept. */
export async function switchNetwork<Session>(
  connection: ConnectionKeeper<Session>,
  options$: BehaviorSubject<ResolvedOptions>,
  network: ChainNetwork,
  url: string | undefined,
): Promise<void> {
  checkOptions({ network, url })
  const now = options$.value
  const options = url === undefined && network === now.network ? now : { ...now, network, url, urls: undefined }
  const target = toTarget(options) // throws for a bad one, and leaves everything as it was
  options$.next(options)
  return connection.retarget(target)
}

/** Dials for the first listener ever, unless somebody has dialled already or the options forbid it. */
export function dialForFirstListener<Session>(
  connection: ConnectionKeeper<Session>,
  { value: options }: BehaviorSubject<ResolvedOptions>,
): void {
  const { status, request } = connection.state
  if (!options.autoConnect || status !== 'disconnected' || request > 0) return
  connection.connect(toTarget(options)).catch((error: unknown) => {
    options.logger.warn('Could not connect', { error }) // and the connection's state tells of it
  })
}
