import { computed, type ComputedRef, type Ref } from 'vue'
import { feature } from '../../../engine/feature.js'
import { eventLog } from '../../../engine/features/event-log.js'
import type { ChainCore } from '../../../engine/core.js'
import type { RpcEvent } from '../../../model/event.js'
import type { ConnectionState, RpcConnectionState } from '../../../streams/connection/state.js'
import { UNKNOWN_SERVER } from '../../../streams/session/server-facts.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useVirtualDaaScore } from './virtual-daa-score.js'

/** The connection and the node at its other end, as refs. */
export interface RpcState {
  readonly connectionState: ComputedRef<RpcConnectionState>
  readonly isConnected: ComputedRef<boolean>
  /** The endpoint that is dialled or connected to; null between two attempts. */
  readonly url: ComputedRef<string | null>
  /** What the node says of itself; null until it has. */
  readonly networkId: ComputedRef<string | null>
  readonly serverVersion: ComputedRef<string | null>
  /** False while unknown. */
  readonly isSynced: ComputedRef<boolean>
  /** Live while it is read, at most once a frame; 0n until the node has said. */
  readonly virtualDaaScore: Readonly<Ref<bigint>>
  /** Why the last attempt failed; null once connected. */
  readonly error: ComputedRef<Error | null>
  /** The retry under way; 0 for the first dial and when connected. */
  readonly attempt: ComputedRef<number>
  /** Unix milliseconds; null where no retry is waited for. */
  readonly nextRetryAt: ComputedRef<number | null>
  /** The newest 200 of the events that are subscribed to anyway, oldest first. */
  readonly eventLog: ComputedRef<RpcEvent[]>
}

const NOT_CONNECTED: Pick<ConnectionState, 'status' | 'url' | 'error' | 'attempt' | 'nextRetryAt'> = {
  status: 'disconnected',
  url: null,
  error: null,
  attempt: 0,
  nextRetryAt: null,
}

export function useRpcState(core: ChainCore): RpcState {
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
