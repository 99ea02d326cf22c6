import { type ChainNetwork, AVAILABLE_NETWORKS, isChainNetwork } from '../model/network.js'
import type { DevnodeAccount } from './accounts.js'
import type { DevnodeContracts } from './contracts.js'
import type { Faults } from './faults/faults.js'
import type { ExpectedState } from './live-ledger.js'
import type { DevnodeConnection, RestartableRpc, RpcContext } from './server/rpc.js'
import type { DevnodeMethods } from './methods.js'
import type { HttpHandler } from './http.js'
import { ChainError } from '../errors/chain-error.js'
import type { RefusedScript, Utxo } from './ledger/ledger.js'

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

/** The URLs of a devnode's servers. */
export interface DevnodeUrls {
  /** wRPC with Borsh and with JSON encoding. */
  readonly borsh: string
  readonly json: string
  readonly rest: string
  readonly control: string
}

/** The four servers of a devnode. */
export interface Servers {
  readonly urls: DevnodeUrls
  readonly rpc: RestartableRpc
  close(): Promise<void>
}

/** What the servers serve. */
export interface ServerParts {
  readonly rpc: RpcContext
  readonly rest: HttpHandler
  readonly control: HttpHandler
}

/** Options of `createDevnode`. */
export interface DevnodeOptions {
  /** The simulated network. @default 'simnet' */
  readonly network?: ChainNetwork | undefined
  /** The address to listen on. Any other than loopback exposes the devnode to the network. @default '127.0.0.1' */
  readonly host?: string | undefined
  /**
   * Origins of browsers that may use the devnode besides pages from loopback and `host`: `chrome-extension://…`.
   * @default []
   */
  readonly origins?: readonly string[] | undefined
  /** The ports of the four servers; 0: any free port. @default 0 */
  readonly borshPort?: number | undefined
  readonly jsonPort?: number | undefined
  readonly restPort?: number | undefined
  readonly controlPort?: number | undefined
  /** Milliseconds between blocks; 0 mines on demand only. @default 1000 */
  readonly blockInterval?: number | undefined
  /** Number of funded accounts of the test mnemonic. @default 10 */
  readonly accounts?: number | undefined
  /** The balance of each account, in sompi. @default 100_000_000_000n (1,000 KAS) */
  readonly balance?: bigint | undefined
  /** Seed of everything random in a devnode. @default 0 */
  readonly seed?: number | undefined
  /** Further UTXOs at genesis, mature immediately: large UTXO sets without mining. @default [] */
  readonly utxos?: readonly Utxo[] | undefined
  /** The clock of the network, Unix milliseconds. @default Date.now */
  readonly now?: (() => number) | undefined
  /** Called for each submitted transaction whose script fails, with what a node does not say. @default nothing */
  readonly onRefused?: ((refused: RefusedScript) => void) | undefined
}

/** Options of `devnode.fork()`. The defaults are those of the node that is forked; ports are free ones. */
export interface DevnodeForkOptions extends Pick<
  DevnodeOptions,
  'host' | 'origins' | 'borshPort' | 'jsonPort' | 'restPort' | 'controlPort' | 'blockInterval' | 'seed' | 'now'
> {
  /** The number of a snapshot: the fork starts with that state. @default the current state */
  readonly snapshot?: number | undefined
}

/** The options with every default filled in. */
export type ResolvedOptions = { readonly [K in keyof DevnodeOptions]-?: NonNullable<DevnodeOptions[K]> }

const DEFAULTS: ResolvedOptions = {
  network: 'simnet',
  host: '127.0.0.1',
  origins: [],
  borshPort: 0,
  jsonPort: 0,
  restPort: 0,
  controlPort: 0,
  blockInterval: 1_000,
  accounts: 10,
  balance: 100_000_000_000n,
  seed: 0,
  utxos: [],
  now: () => Date.now(),
  onRefused: () => undefined,
}

/** The largest value of each numeric option; all are integers from 0. Node's timers are limited to 2^31 - 1 ms. */
const LIMITS = {
  borshPort: 65_535,
  jsonPort: 65_535,
  restPort: 65_535,
  controlPort: 65_535,
  blockInterval: 2 ** 31 - 1,
  accounts: 1_000,
  seed: Number.MAX_SAFE_INTEGER,
} as const

/** Fills in the defaults. Throws `ChainError` (`invalid-option`) with the option and its allowed values. */
export function resolveOptions(options: DevnodeOptions = {}): ResolvedOptions {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const resolved: ResolvedOptions = { ...DEFAULTS, ...given }
  if (!isChainNetwork(resolved.network)) throw invalid('network', `one of ${AVAILABLE_NETWORKS.join(', ')}`)
  if (typeof resolved.balance !== 'bigint' || resolved.balance < 0n)
    throw invalid('balance', 'a bigint of sompi, 0n or more')
  if (typeof resolved.host !== 'string' || resolved.host === '') throw invalid('host', 'an address of this machine')
  if (!Array.isArray(resolved.origins) || !resolved.origins.every((origin) => typeof origin === 'string'))
    throw invalid('origins', 'a list of origins')
  for (const [name, limit] of Object.entries(LIMITS)) requireWhole(name, resolved[name as keyof typeof LIMITS], limit)
  return resolved
}

function requireWhole(name: string, value: number, limit: number): void {
  if (!Number.isInteger(value) || value < 0 || value > limit) throw invalid(name, `a whole number from 0 to ${limit}`)
}

function invalid(option: string, allowed: string): ChainError {
  return new ChainError(`Devnode option "${option}" is invalid`, {
    code: 'invalid-option',
    argument: option,
    hint: `Allowed is ${allowed}.`,
  })
}
