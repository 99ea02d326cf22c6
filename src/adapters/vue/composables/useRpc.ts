import { getCurrentScope, onScopeDispose } from 'vue'
import { feature } from '../../../engine/feature.js'
import { eventLog } from '../../../engine/features/event-log.js'
import { rpc } from '../../../engine/features/rpc.js'
import type { RpcOptions } from '../../../engine/options.js'
import { warmUp } from '../../../engine/warm-up.js'
import type { RpcQueries } from '../../../operations/queries/rpc-queries.js'
import { createHandlers, type Handlers } from '../../../streams/handlers.js'
import { deferScopeVerbs } from '../../../streams/deferred-verbs.js'
import type { ScopeVerbs } from '../../../streams/scope-verbs.js'
import { useCore } from '../plugin/core.js'
import { useRpcState, type RpcState } from './rpc-state.js'

export interface UseRpcReturn extends RpcState, RpcQueries, ScopeVerbs, Handlers {
  readonly clearEventLog: () => void
  /** Resolves once connected; `options` hold for this connection only. Loads the WASM module beside it. */
  readonly connect: (options?: RpcOptions) => Promise<void>
  readonly disconnect: () => Promise<void>
  /** Hangs up and dials anew. */
  readonly reconnect: () => Promise<void>
}

/**
 * The connection to a node: its state, every query, every event. It belongs to the app: every call sees the same, and
 * handlers and subscriptions that were placed by a call end with the scope that made it.
 */
export function useRpc(): UseRpcReturn {
  const core = useCore('useRpc')
  const { verbs, placed } = deferScopeVerbs(core)
  if (getCurrentScope()) onScopeDispose(() => placed.unsubscribe())
  return {
    ...useRpcState(core),
    ...feature(core, rpc),
    ...verbs,
    ...createHandlers(core.events$, placed),
    clearEventLog: () => feature(core, eventLog).clear(),
    connect: (options) => {
      warmUp(core)
      return core.connection.connect(options)
    },
    disconnect: () => core.connection.disconnect(),
    reconnect: () => core.connection.reconnect(),
  }
}
