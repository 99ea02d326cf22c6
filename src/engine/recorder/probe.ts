import type { Observable, Subscription } from 'rxjs'
import type { NodePort } from '../../node/port.js'
import type { Platform } from '../../platform/port.js'
import type { RestReport } from '../../rest/options.js'
import type { ResolveRequest } from '../../streams/connection/dial.js'
import type { SharedConnectionState } from '../shared-connection/connection-sharing.js'
import type { ConnectionState } from '../../streams/connection/state.js'
import type { NodeLink } from '../../streams/session/node-link.js'
import type { UtxoSets } from '../../streams/utxos/store/store.js'
import type { Wasm } from '../../streams/wasm.js'
import type { ChainMetrics } from './metrics.js'
import type { FlightRecord } from './recorder.js'
import type { ChainNetwork, RpcEncoding } from '../../model/network.js'
import type { SdkSource } from '../../sdk/port.js'
import type { HeartbeatPolicy, RetryPolicy } from '../../streams/connection/policy.js'

/**
 * What a recorder does in one engine. Engines call it, never its implementation, which is bundled with
 * `createRecorder`.
 */
export interface Probe {
  readonly record: (record: FlightRecord) => void
  /** The same platform; its sockets and timers are observed. */
  readonly platform: (platform: Platform) => Platform
  /** The same node; dials and calls are observed. */
  readonly node: (node: NodePort) => NodePort
  /** The same resolver, observed. */
  readonly resolver: (resolve: Resolve) => Resolve
  /** Follows the streams of the engine until it is disposed. Sends no requests. */
  readonly core: (core: ObservedCore) => void
  /** Follows the UTXO sets until the engine is disposed. */
  readonly utxoSets: (sets: ObservedSets) => void
  /** Records the end of a request to the indexer. */
  readonly rest: (report: RestReport) => void
  readonly metrics: () => ChainMetrics
}

export type Resolve = (request: ResolveRequest) => Observable<string>

/** What a recorder reads of an engine. */
export interface ObservedCore extends Pick<NodeLink, 'received$' | 'serverInfo$' | 'platform'> {
  readonly connection: { readonly state$: Observable<ConnectionState> }
  readonly connectionSharing$: Observable<SharedConnectionState>
  readonly wasm: Pick<Wasm, 'status$'>
  /** Unsubscribed with the engine. */
  readonly lifetime: Subscription
}

export type ObservedSets = Pick<UtxoSets, 'all' | 'applied$'>

/** What a recording shows of an engine's options, with their defaults. */
export interface ObservedOptions {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
  readonly url?: string | undefined
  readonly urls?: readonly string[] | undefined
  readonly resolver?: boolean | undefined
  readonly resolvers?: readonly string[] | undefined
  readonly autoConnect: boolean
  readonly connectTimeout: number
  readonly requestTimeout: number
  readonly maxFrameSize?: number | undefined
  readonly retryPolicy: RetryPolicy
  /** Null: off. */
  readonly heartbeatPolicy: HeartbeatPolicy | null
  readonly restUrl?: string | undefined
  readonly rest?: { readonly baseUrl?: string | undefined } | undefined
  readonly sdk?: SdkSource | (() => Promise<unknown>) | undefined
  readonly ports?: Partial<Record<'node' | 'sdk' | 'wallets' | 'platform', unknown>> | undefined
}

/** Attaches a recorder to an engine of these options. */
export type Attach = (options: ObservedOptions) => Probe
