import type { Observable } from 'rxjs'
import type { ChainNetwork, RpcEncoding } from '../../model/network.js'
import type { SdkSource } from '../../sdk/port.js'
import type { HeartbeatPolicy, RetryPolicy } from '../../streams/connection/policy.js'
import type { Probe } from './probe.js'
import type { FlightRecord } from './records.js'

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

/** Keeps the newest events of an engine, for a bug report, for metrics, and for DevTools. */
export interface Recorder {
  /** Every record as it is made. Hot; replays nothing, never errors or completes. */
  readonly records$: Observable<FlightRecord>
  /** The newest records, oldest first. */
  readonly records: () => readonly FlightRecord[]
  /**
   * The records, the options without credentials, versions and platform as JSON, to attach to a bug report. With
   * `frames: true` also the raw frames, where they were captured: they contain addresses and signed transactions.
   */
  readonly export: (options?: { readonly frames?: boolean | undefined }) => string
  /** Removes all records and frames. */
  readonly clear: () => void
  /** Called by an engine when it is created. */
  readonly attach: (options: ObservedOptions) => Probe
}
