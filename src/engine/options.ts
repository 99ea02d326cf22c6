import type { ChainNetwork, RpcEncoding } from '../model/network.js'
import type { NodePort } from '../node/port.js'
import type { ChainLogger, Platform } from '../platform/port.js'
import type { ChainRestOptions } from '../rest/options.js'
import type { SdkPort } from '../sdk/port.js'
import type { HeartbeatOptions, ReconnectOptions } from '../streams/connection/policy.js'
import type { WalletsPort } from '../wallets/port.js'

/** What stands in for the world outside: whatever is given here is used in place of the real thing. */
export interface ChainPorts {
  /** In place of sockets: `createScriptedNode()` of `vue-chain/testing`, say. */
  readonly node?: NodePort | undefined
  /** In place of the WASM module. */
  readonly sdk?: SdkPort | undefined
  /** In place of the page's browser wallets. */
  readonly wallets?: WalletsPort | undefined
  /** In place of clock, timers, network and storage. */
  readonly platform?: Platform | undefined
}

/** Overrides for one connection; what is left out is as the engine's options have it. */
export interface RpcOptions {
  readonly url?: string | undefined
  readonly resolver?: boolean | undefined
  readonly network?: ChainNetwork | undefined
  readonly encoding?: RpcEncoding | undefined
}

/** Options of an engine. Times in ms. A bad one is a `ChainError` (`invalid-option`) that names it and what is allowed. */
export interface ChainEngineOptions extends RpcOptions {
  /** @default 'mainnet' */
  readonly network?: ChainNetwork | undefined
  /** The node's WebSocket address; without it, and without `urls`, the resolver is asked, or the local devnode dialled. */
  readonly url?: string | undefined
  /** Further endpoints, tried in turn. */
  readonly urls?: readonly string[] | undefined
  /** Ask the public resolver for a node. @default true; false where `url` is given */
  readonly resolver?: boolean | undefined
  /** Hosts of the resolver, in place of the public ones. */
  readonly resolvers?: readonly string[] | undefined
  /** @default 'Borsh' */
  readonly encoding?: RpcEncoding | undefined
  /** Whether the first listener that needs a node dials one. @default true */
  readonly autoConnect?: boolean | undefined
  /** How it comes back after a loss; false: it does not. */
  readonly reconnect?: ReconnectOptions | false | undefined
  /** Bound of one attempt, from dialling to the last desired subscription. @default 10000 */
  readonly connectTimeout?: number | undefined
  /** Bound of one call. @default 60000 */
  readonly requestTimeout?: number | undefined
  /** How a silent node is found out; false: it is waited for. */
  readonly heartbeat?: HeartbeatOptions | false | undefined
  /** Base URL of the REST indexer. @default the network's public one */
  readonly restUrl?: string | undefined
  /** How the REST indexer is asked. */
  readonly rest?: ChainRestOptions | undefined
  /** How the SDK reports its own panics. @default 'console' */
  readonly panicHook?: 'console' | 'browser' | false | undefined
  /** Brings your own build of the WASM SDK. */
  readonly sdk?: (() => Promise<unknown>) | undefined
  /** Hears what an operator might want to know; never a key or a phrase. @default nobody */
  readonly logger?: ChainLogger | undefined
  readonly ports?: ChainPorts | undefined
}
