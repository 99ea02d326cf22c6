import { getCurrentScope, onScopeDispose, computed, type ComputedRef, type Ref } from 'vue'
import { feature, type CoreParts } from '../../../engine/core-parts.js'
import { eventLog } from '../../../engine/features/diagnosis.js'
import { rpc, ownedSubscriptionMethods } from '../../../engine/features/node-calls.js'
import type { ConnectOptions } from '../../../engine/connection-control.js'
import type { AbortOptions } from '../../../errors/abort-options.js'
import { warmUp } from '../../../engine/features/keys.js'
import type { RpcQueries } from '../../../operations/queries/rpc-queries.js'
import { createHandlers, type Handlers } from '../../../streams/handlers.js'
import type { SubscriptionMethods } from '../../../streams/subscription-methods.js'
import { useCore } from '../plugin/core.js'
import type { ChainError } from '../../../errors/chain-error.js'
import type { RpcEvent } from '../../../model/event.js'
import type { ConnectionState, RpcConnectionState } from '../../../streams/connection/state.js'
import { UNKNOWN_SERVER } from '../../../streams/session/server-state.js'
import { useStream } from '../bridges/stream-refs.js'
import { useVirtualDaaScore } from './useNetwork.js'

export interface UseRpcReturn extends RpcState, RpcQueries, SubscriptionMethods, Handlers {
  readonly clearEventLog: () => void
  /**
   * Resolves once connected; `options` apply to this connection only. Also loads the WASM module. `signal` ends the
   * wait, not the attempt, which all callers share: call `disconnect()` for that.
   */
  readonly connect: (options?: ConnectOptions) => Promise<void>
  readonly disconnect: () => Promise<void>
  /** Closes the connection and connects again. */
  readonly reconnect: (options?: AbortOptions) => Promise<void>
}

/**
 * The connection to a node: its state, every query, every event, shared by all calls of the app. Handlers and
 * subscriptions of a call end with the scope that made it.
 */
export function useRpc(): UseRpcReturn {
  const core = useCore('useRpc')
  const { methods, teardown } = ownedSubscriptionMethods(core)
  if (getCurrentScope()) onScopeDispose(() => teardown.unsubscribe())
  return {
    ...useRpcState(core),
    ...feature(core, rpc),
    ...methods,
    ...createHandlers(core.events$, teardown),
    clearEventLog: () => feature(core, eventLog).clear(),
    connect: (options) => {
      warmUp(core)
      return core.connection.connect(options)
    },
    disconnect: () => core.connection.disconnect(),
    reconnect: (options) => core.connection.reconnect(options),
  }
}

/** State of the connection and the node. */
export interface RpcState {
  readonly connectionState: ComputedRef<RpcConnectionState>
  readonly isConnected: ComputedRef<boolean>
  /** The endpoint of the current attempt or connection; null between attempts. */
  readonly url: ComputedRef<string | null>
  /** Reported by the node; null until known. */
  readonly networkId: ComputedRef<string | null>
  readonly serverVersion: ComputedRef<string | null>
  /** False while unknown. */
  readonly isSynced: ComputedRef<boolean>
  /** Updated at most once per frame while it is read; 0n until known. */
  readonly virtualDaaScore: Readonly<Ref<bigint>>
  /** Error of the last attempt; null once connected. */
  readonly error: ComputedRef<ChainError | null>
  /** Number of the current retry; 0 for the first attempt and when connected. */
  readonly attempt: ComputedRef<number>
  /** Unix time in ms; null if no retry is scheduled. */
  readonly nextRetryAt: ComputedRef<number | null>
  /** The newest 200 events of existing subscriptions, oldest first. Reading it places none. */
  readonly eventLog: ComputedRef<RpcEvent[]>
}

const NOT_CONNECTED: Pick<ConnectionState, 'status' | 'url' | 'error' | 'attempt' | 'nextRetryAt'> = {
  status: 'disconnected',
  url: null,
  error: null,
  attempt: 0,
  nextRetryAt: null,
}

function useRpcState(core: CoreParts): RpcState {
  const connection = useStream(core.connection.state$, NOT_CONNECTED)
  const server = useStream(core.server$, UNKNOWN_SERVER)
  const log = useStream(feature(core, eventLog).state$, [])
  return {
    connectionState: computed(() => connection.value.status),
    isConnected: computed(() => connection.value.status === 'connected'),
    url: computed(() => connection.value.url),
    networkId: computed(() => server.value.networkId),
    serverVersion: computed(() => server.value.serverVersion),
    isSynced: computed(() => server.value.isSynced),
    virtualDaaScore: useVirtualDaaScore(core),
    error: computed(() => connection.value.error),
    attempt: computed(() => connection.value.attempt),
    nextRetryAt: computed(() => connection.value.nextRetryAt),
    eventLog: computed(() => log.value.slice()),
  }
}
