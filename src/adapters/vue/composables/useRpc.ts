import { getCurrentScope, onScopeDispose } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { eventLog } from '../../../engine/features/diagnosis.js'
import { rpc, ownedSubscriptionMethods } from '../../../engine/features/node-calls.js'
import type { ConnectOptions } from '../../../engine/connection-control.js'
import type { AbortOptions } from '../../../errors/abort-options.js'
import { warmUp } from '../../../engine/features/keys.js'
import type { RpcQueries } from '../../../operations/queries/rpc-queries.js'
import { createHandlers, type Handlers } from '../../../streams/handlers.js'
import type { SubscriptionMethods } from '../../../streams/subscription-methods.js'
import { useCore } from '../plugin/core.js'
import { useRpcState, type RpcState } from './rpc-state.js'

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
