import type { Observable, Subscription } from 'rxjs'
import type { RpcEvent, RpcEventType } from '../model/event.js'
import type { ChainNetwork } from '../model/network.js'
import type { RpcEventMap } from '../node/messages/records.js'
import type { ChainLogger, Platform } from '../platform/port.js'
import type { ConnectionState } from '../streams/connection/state.js'
import type { ServerState } from '../streams/server-state.js'
import type { RpcOptions } from './options.js'

/** Who dials, and who hangs up. */
export interface ConnectionControl {
  /**
   * The connection, hot and shared: a late subscriber gets the current state at once. Emits only changes, never errors,
   * completes with the engine. Watching it dials nothing.
   */
  readonly state$: Observable<ConnectionState>
  /**
   * Resolves once connected; `options` hold for this one connection. Concurrent calls with the same options share one
   * attempt. Rejects with `ChainRpcError('connect', cause)`: `connect-failed` or `wrong-network` after the last retry,
   * `superseded` by a call with other options, `cancelled` by `disconnect()`.
   */
  connect(options?: RpcOptions): Promise<void>
  /** Ends the connection and whatever was under way. Never rejects. */
  disconnect(): Promise<void>
  /** Hangs up and dials anew, to the same target. Resolves and rejects as `connect` does. */
  reconnect(): Promise<void>
}

/** What everybody needs of an engine; every further capability is a `feature` of it. */
export interface ChainCore {
  readonly platform: Platform
  readonly logger: ChainLogger
  readonly connection: ConnectionControl
  /** The network that is sought or connected to. Hot, shared, replays the current one, emits only changes. */
  readonly network$: Observable<ChainNetwork>
  /** The node at the other end. Hot, shared, replays what is known, emits only changes, never errors, completes with the engine. */
  readonly server$: Observable<ServerState>
  /**
   * Events of one type, hot and shared, each once. Replays nothing, never errors, completes with the engine. The node is
   * subscribed to them while anyone listens (`utxos-changed` apart: it comes for the addresses that are tracked).
   */
  events$<Type extends RpcEventType>(type: Type): Observable<RpcEvent<RpcEventMap[Type]>>
  /** Every event that arrives for whatever reason; listening asks the node for nothing. */
  readonly heard$: Observable<RpcEvent>
  /** Makes another network the engine's own and connects to it, if a connection was wanted. Ledgers and cursors start anew. */
  switchNetwork(network: ChainNetwork, options?: { readonly url?: string | undefined }): Promise<void>
  /** What has been made of this core, by its maker. */
  readonly features: Map<unknown, unknown>
  /** Ends with the engine, and takes with it whatever was added. */
  readonly lifetime: Subscription
  /** Closes the socket, stops every timer, completes every stream. Safe to call twice. */
  dispose(): Promise<void>
}
