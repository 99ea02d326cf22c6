import { merge, type Observable } from 'rxjs'
import type { BlockInfo } from '../model/block.js'
import type { ChainNetwork } from '../model/network.js'
import type { KeyOperations, VerificationLoader } from '../operations/keys/keys.js'
import type { DiagnoseOptions, Diagnosis } from '../operations/diagnosis/report.js'
import type { RpcQueries } from '../operations/queries/rpc-queries.js'
import type { TransactionOperations } from '../operations/transactions/transaction-operations.js'
import type { ChainRestClient } from '../rest/client.js'
import type { AcceptedTransactions } from '../streams/acceptance/accepted-transactions.js'
import type { Accounts } from '../streams/accounts/accounts.js'
import type { Gap } from '../streams/acceptance/acceptance.js'
import type { ChainBatches$, FollowChain } from '../streams/chain/follow-chain.js'
import type { SubscriptionMethods } from '../streams/subscription-methods.js'
import type { PaymentRequests } from '../streams/requests/requests.js'
import type { EventStreams } from '../streams/session/node-link.js'
import type { ServerState } from '../streams/session/server-state.js'
import type { FollowTransaction } from '../streams/status/transaction-status.js'
import type { FollowTransfers } from '../streams/transfers/follow-transfers.js'
import type { FollowBalances, FollowUtxos } from '../streams/utxos/view/state.js'
import type { WalletSession } from '../streams/wallet/wallet-session.js'
import type { WasmControl } from '../streams/wasm.js'
import type { ConnectionControl } from './connection-control.js'
import { PARTS, type CoreParts, feature } from './core-parts.js'
import { createParts } from './core.js'
import { acceptance } from './features/acceptance.js'
import { accounts, keys, wasm } from './features/keys.js'
import { blocks } from './features/blocks.js'
import { chain } from './features/chain.js'
import { restClients } from './features/rest.js'
import { rpc, subscriptionMethods } from './features/node-calls.js'
import { requests, transfers } from './features/transfers.js'
import { scores } from './features/node.js'
import { sharing, type Sharing } from './features/sharing.js'
import { transactionStatus } from './features/transaction-status.js'
import { transactions } from './features/transactions.js'
import { balances, utxos } from './features/utxos.js'
import { wallet } from './features/wallet.js'
import { diagnosis, metricsOf } from './features/diagnosis.js'
import type { ChainEngineOptions } from './options.js'
import type { Recorder } from './recorder/recorder.js'
import type { ChainMetrics } from './recorder/metrics.js'

/**
 * All features of an engine. Creation does no work; subscriptions, calls and `connect()` do. State and score streams
 * replay the latest value; event streams replay nothing. No stream errors, all complete with `dispose()`.
 */
export interface ChainEngine {
  /** The WASM module, needed for keys and signatures only. */
  readonly wasm: WasmControl
  /** The connection to a node: its state, and the methods that change it. */
  readonly connection: ConnectionControl
  /**
   * The last known state of the connected node. Hot and shared; replays the latest state. Emits only changes, never
   * errors, completes with the engine. A subscription does not connect.
   */
  readonly server$: Observable<ServerState>
  /**
   * The virtual DAA score, which decides maturity. Hot and shared; replays the latest score of the current network.
   * Emits only changes, in the node's order; after a reconnect the score of the new connection. Never errors, completes
   * with the engine. Source: `virtual-daa-score-changed`, subscribed while there are subscribers.
   */
  readonly virtualDaaScore$: Observable<bigint>
  /** The sink's blue score, which counts confirmations. Same contract as `virtualDaaScore$`. */
  readonly sinkBlueScore$: Observable<bigint>
  /** Notifications and connection events by type: `events$('block-added')`. Hot; replays nothing, no backfill. */
  readonly events$: EventStreams
  /**
   * Gaps in accepted transactions and blocks that could not be backfilled, with the cause; emitted before the events
   * after the gap. Hot and shared; replays nothing. Never errors, completes with the engine. Makes no calls to the
   * node.
   */
  readonly gaps$: Observable<Gap>
  /** A tracker of the UTXOs of some addresses, or of an observable of addresses. */
  readonly utxos: FollowUtxos
  /** Balances of addresses or an account: in total, and by address. Own payments count at once. */
  readonly balances$: FollowBalances
  /**
   * The virtual chain in batches, each with a cursor to store: `for await (const batch of engine.followChain({ cursor
   * }))`. What a reorg removed is undone first, also after a restart or on another node; see docs/chain.md.
   */
  readonly followChain: FollowChain
  /** The same batches as an observable, without back-pressure: for user interfaces. */
  readonly chainBatches$: ChainBatches$
  /** Credits and debits of addresses in batches, each with a cursor to store with the rows; see docs/transfers.md. */
  readonly followTransfers: FollowTransfers
  /**
   * Transactions that the virtual chain accepts, and reverts in a reorg; backfilled after outages, except for `gaps$`.
   */
  readonly acceptedTransactions$: AcceptedTransactions
  /**
   * Every block since the first subscription, once, in the node's order; blocks of an outage are backfilled after it,
   * or reported by `gaps$`. Hot and shared; replays nothing. Never errors, completes with the engine.
   */
  blocks$(): Observable<BlockInfo>
  /** The status of a transaction from the mempool to its last confirmation. Always completes. */
  readonly transactionStatus$: FollowTransaction
  /** All node queries, and the methods that subscribe to notifications. */
  readonly rpc: RpcQueries & SubscriptionMethods
  /** Estimates, creates and sends payments. */
  readonly transactions: TransactionOperations
  /** Operations on keys, mnemonics, addresses and messages; most need the WASM module. */
  readonly keys: KeyOperations & VerificationLoader
  /** Accounts without a private key, of extended public keys. */
  readonly accounts: Accounts
  /** Payment requests: an address, an amount and an expiry, and how far they are paid; see docs/getting-paid.md. */
  readonly requests: PaymentRequests
  /** The user's browser wallet. */
  readonly wallet: WalletSession
  /** The REST client for the current network. */
  readonly rest: ChainRestClient
  /** What this tab shares with the others of its origin: the option `shared`. */
  readonly sharing: Sharing
  /**
   * Checks everything that the engine needs, each with a remedy where it failed: URL, node, resolver, indexer, WASM
   * file, wallets, page. Read-only, on connections of its own, whatever the state of the engine; each request is
   * bounded by `timeout`. Rejects with `ChainError`: `aborted` by `signal`, `disposed`.
   */
  diagnose(options?: DiagnoseOptions): Promise<Diagnosis>
  /** The flight recorder of the options, in development else one of its own; null without one. */
  readonly recorder: Recorder | null
  /**
   * Counters since the creation of the engine, and gauges: connections, calls, notifications, lag. `toPrometheus`
   * formats them. Throws `ChainError` (`invalid-option`) without a `recorder`, which counts.
   */
  metrics(): ChainMetrics
  /** Changes the network and resets UTXO sets and cursors. */
  switchNetwork(network: ChainNetwork, options?: { readonly url?: string | undefined }): Promise<void>
  /**
   * Closes the socket, stops every timer, completes every stream. Safe to call twice. Where a teardown throws, the
   * others still run, and it rejects with `ChainError`, whose `cause` holds all failures.
   */
  dispose(): Promise<void>
}

/**
 * Creates an engine with all features. Several engines share only the loaded WASM module.
 * Throws `ChainError` (`invalid-option`) with the option and its allowed values.
 * @example
 * const engine = createChainEngine({ network: 'simnet' })
 * engine.virtualDaaScore$.subscribe((score) => console.log(score))
 */
export const createChainEngine = (options?: ChainEngineOptions): ChainEngine => joinEngine(createParts(options))

/** All features of `core` as one object; each is created at its first use. */
export function joinEngine(core: CoreParts): ChainEngine {
  const { connection, server$, events$ } = core
  const { recorder = false } = core.options
  const engine: ChainEngine = {
    wasm: feature(core, wasm),
    connection,
    server$,
    events$,
    get virtualDaaScore$() {
      return feature(core, scores).virtualDaaScore$
    },
    get sinkBlueScore$() {
      return feature(core, scores).sinkBlueScore$
    },
    get gaps$() {
      return merge(feature(core, acceptance).gaps$, feature(core, blocks).gaps$)
    },
    get utxos() {
      return feature(core, utxos)
    },
    get balances$() {
      return feature(core, balances)
    },
    get followChain() {
      return feature(core, chain).followChain
    },
    get chainBatches$() {
      return feature(core, chain).chainBatches$
    },
    get followTransfers() {
      return feature(core, transfers)
    },
    get acceptedTransactions$() {
      return feature(core, acceptance).accepted$
    },
    blocks$: () => feature(core, blocks).blocks$,
    get transactionStatus$() {
      return feature(core, transactionStatus)
    },
    get rpc() {
      return feature(core, rpcMethods)
    },
    get transactions() {
      return feature(core, transactions)
    },
    get keys() {
      return feature(core, keys)
    },
    get accounts() {
      return feature(core, accounts)
    },
    get requests() {
      return feature(core, requests)
    },
    get wallet() {
      return feature(core, wallet)
    },
    get rest() {
      return feature(core, restClients).current()
    },
    get sharing() {
      return feature(core, sharing)
    },
    diagnose: (options) => feature(core, diagnosis)(options),
    recorder: recorder === false ? null : recorder,
    metrics: () => metricsOf(core),
    switchNetwork: (network, options) => core.switchNetwork(network, options),
    dispose: () => core.dispose(),
  }
  return Object.defineProperty(engine, PARTS, { value: core })
}

/** A feature, so that the fifty functions are spread only once. */
const rpcMethods = (core: CoreParts): RpcQueries & SubscriptionMethods => ({
  ...feature(core, rpc),
  ...feature(core, subscriptionMethods),
})
