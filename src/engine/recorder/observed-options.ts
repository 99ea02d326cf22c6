import type { ChainNetwork, RpcEncoding } from '../../model/network.js'
import type { SdkSource } from '../../sdk/port.js'
import type { HeartbeatPolicy, RetryPolicy } from '../../streams/connection/policy.js'
import type { Probe } from './probe.js'

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
