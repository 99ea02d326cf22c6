import type { ChainNetwork, RpcEncoding } from '../model/network.js'
import type { NodePort } from '../node/port.js'
import type { SignedAmountsStore } from '../operations/transactions/sign/signed-amounts.js'
import type { ChainLogger, Platform } from '../platform/port.js'
import type { ChainRestOptions } from '../rest/options.js'
import type { SdkPort, SdkSource, WasmUrl } from '../sdk/port.js'
import type { HeartbeatOptions, ReconnectOptions } from '../streams/connection/policy.js'
import type { WalletsPort } from '../wallets/port.js'
import type { Recorder } from './recorder/recorder.js'

/** Replacements for the outside world, for tests. */
export interface ChainPorts {
  /** Replaces sockets, e.g. `createScriptedNode()` of `vue-chain/testing`. */
  readonly node?: NodePort | undefined
  /** Replaces the WASM module. */
  readonly sdk?: SdkPort | undefined
  /** Replaces the browser wallets of the page. */
  readonly wallets?: WalletsPort | undefined
  /** Replaces clock, timers, network and storage. */
  readonly platform?: Platform | undefined
}

/** Overrides for one connection; omitted ones default to the engine's options. */
export interface RpcOptions {
  readonly url?: string | undefined
  readonly resolver?: boolean | undefined
  readonly network?: ChainNetwork | undefined
  readonly encoding?: RpcEncoding | undefined
}

/** What the tabs of an origin share. */
export interface SharedOptions {
  /** Tabs with the same name and network share: a-z, 0-9 and -, at most 40. @default 'vue-chain' */
  readonly name?: string | undefined
  /** Whether UTXOs that one tab has reserved are reserved in all. @default true */
  readonly claims?: boolean | undefined
  /** Whether the tabs have one socket for each endpoint, in a `SharedWorker`. @default true */
  readonly connection?: boolean | undefined
  /**
   * Whether the last known balances and UTXO sets are written to the disk, and shown after a reload until the first
   * snapshot: for `maxAge` ms, a day by default, at most 30 days. Everyone who uses the computer can read them.
   * @default false
   */
  readonly state?: boolean | { readonly maxAge?: number | undefined } | undefined
  /**
   * Where the worker's file lies (`dist/chunks/shared-worker.js`), for pages without a bundler that emits it; of the
   * page's origin. @default beside the library’s code
   */
  readonly workerUrl?: string | URL | undefined
}

/** Options of an engine. Times in ms. An invalid one throws `ChainError` (`invalid-option`). */
export interface ChainEngineOptions extends RpcOptions {
  /** @default 'mainnet' */
  readonly network?: ChainNetwork | undefined
  /** The node's WebSocket URL. @default a node from the resolver, or the local node on simnet and devnet */
  readonly url?: string | undefined
  /** Further endpoints, tried in order. */
  readonly urls?: readonly string[] | undefined
  /** Use the public resolver to find a node. @default true; false where `url` is given */
  readonly resolver?: boolean | undefined
  /** Base URLs of resolvers. @default the public ones */
  readonly resolvers?: readonly string[] | undefined
  /** The longest response of a resolver, bytes; a longer one fails the attempt at that resolver. @default 65536 */
  readonly maxResolverResponseSize?: number | undefined
  /** @default 'Borsh' */
  readonly encoding?: RpcEncoding | undefined
  /** Connect for the first subscriber that needs a node. @default true */
  readonly autoConnect?: boolean | undefined
  /** Retries after a lost connection; false: none. */
  readonly reconnect?: ReconnectOptions | false | undefined
  /** Timeout of one attempt, until all subscriptions are placed. @default 10000 */
  readonly connectTimeout?: number | undefined
  /** Timeout of one call; one whose response is dropped ends after a sixth of it, 10 s at least. @default 60000 */
  readonly requestTimeout?: number | undefined
  /**
   * The longest message of a node, bytes; a longer one ends the connection with `connection-lost`. In JSON at most 500
   * MiB.
   * @default 500 MiB in Node, 256 MiB in browsers
   */
  readonly maxFrameSize?: number | undefined
  /** Detects an unresponsive node; false: off. */
  readonly heartbeat?: HeartbeatOptions | false | undefined
  /** Base URL of the REST indexer. @default the network's public one */
  readonly restUrl?: string | undefined
  /** Defaults for REST requests. */
  readonly rest?: ChainRestOptions | undefined
  /** Where the SDK reports panics. @default 'console' */
  readonly panicHook?: 'console' | 'browser' | false | undefined
  /**
   * `light` of `vue-chain/light` instead of WASM, or a loader of a custom build of the WASM SDK. @default the WASM SDK
   */
  readonly sdk?: SdkSource | (() => Promise<unknown>) | undefined
  /**
   * Where the bundled WASM file lies (`dist/sdk/kaspa_bg.wasm`, `vue-chain/kaspa_bg.wasm`), for pages without a bundler
   * that emits it: a URL, or a function that returns one, a response or the bytes. The first one used applies to all
   * engines of a page. @default beside the library’s code
   */
  readonly wasmUrl?: WasmUrl | undefined
  /**
   * Keeps a digest of the amounts of each payment that is signed without `commitAmounts`, so that no id is signed with
   * two sets of amounts, also after a restart. Share it among all processes that sign with the same keys.
   * @default the browser's storage; none in Node, where such payments are `unsupported`
   */
  readonly signedAmounts?: SignedAmountsStore | undefined
  /** Receives log messages; never a key or a mnemonic. @default none */
  readonly logger?: ChainLogger | undefined
  /** A flight recorder, of `createRecorder()`; false: none. @default in development one of its own, else none */
  readonly recorder?: Recorder | false | undefined
  /**
   * What the tabs of an origin share; true: claims, which are written to the disk, and connection. Not for sites with
   * pages of several users on one origin.
   * @default false
   */
  readonly shared?: boolean | SharedOptions | undefined
  readonly ports?: ChainPorts | undefined
}
