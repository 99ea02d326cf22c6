import type { ChainNetwork } from '../model/network.js'
import type { DevnodeAccount } from './accounts.js'
import type { DevnodeContracts } from './contracts.js'
import type { Faults } from './faults/faults.js'
import type { ExpectedState } from './expected-state.js'
import type { DevnodeConnection } from './server/rpc.js'
import type { DevnodeUrls } from './servers.js'
import type { DevnodeMethods } from './methods.js'
import type { DevnodeForkOptions } from './options.js'

/** The options of an engine that uses a devnode. */
export interface DevnodeEngineOptions {
  readonly network: ChainNetwork
  readonly url: string
  readonly resolver: false
  readonly rest: { readonly baseUrl: string; readonly fetcher?: typeof fetch }
}

/** The options of an engine on a node. */
export const toEngineOptions = ({ network, urls }: DevnodeBase): DevnodeEngineOptions => ({
  network,
  url: urls.borsh,
  resolver: false,
  rest: { baseUrl: urls.rest },
})

/** What a devnode offers on sockets and in memory alike. */
export interface DevnodeBase extends DevnodeMethods {
  readonly network: ChainNetwork
  readonly urls: DevnodeUrls
  /** Funded at genesis; their keys are public. */
  readonly accounts: readonly DevnodeAccount[]
  /** Milliseconds between blocks; 0: on demand. */
  readonly blockInterval: number
  /** Fault injection, by call or by seed. */
  readonly faults: Faults
  /** Contracts on this network: deployed from the faucet, and read from the node's own state. */
  readonly contracts: DevnodeContracts
  /** The state that a client without any gap has. */
  readonly expected: ExpectedState
  /** The RPC clients and their subscriptions: for tests of leaks. */
  connections(): readonly DevnodeConnection[]
  /** Number of TCP connections at the RPC ports, including those without a completed handshake. */
  sockets(): number
  /**
   * Stops the RPC servers and starts them again after `downtime` ms (0), with the same ports and chain, and with an
   * empty mempool, because a node stores none. With `snapshot`, the node is restored from an older data directory: it
   * is behind, and clients are not notified.
   */
  restart(options?: { readonly downtime?: number | undefined; readonly snapshot?: number | undefined }): Promise<void>
  /** Ends every connection, timer and fault; the process may then exit. Safe to call twice. */
  close(): Promise<void>
}

/** A simulated Kaspa network: one node, in memory, that serves the node's own protocol on real sockets. */
export interface Devnode extends DevnodeBase {
  /** Options with which `createChainEngine` and the Vue plugin connect to this node and its indexer. */
  readonly engineOptions: DevnodeEngineOptions
  /**
   * Starts a second node with the same history and accounts, or with those of a snapshot (then behind). From then on
   * the two are apart, until `sync`. Faults, mempool and clients are those of each node.
   */
  fork(options?: DevnodeForkOptions): Promise<Devnode>
}
