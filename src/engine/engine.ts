import { merge, type Observable } from 'rxjs'
import type { BlockInfo } from '../model/block-info.js'
import type { ChainNetwork } from '../model/network.js'
import type { KeyOperations } from '../operations/keys/keys.js'
import type { RpcQueries } from '../operations/queries/rpc-queries.js'
import type { TransactionOperations } from '../operations/transactions/transactions.js'
import type { ChainRestClient } from '../rest/client.js'
import type { AcceptedTransactions } from '../streams/acceptance/accepted-transactions.js'
import type { Gap } from '../streams/acceptance/change.js'
import type { ScopeVerbs } from '../streams/scope-verbs.js'
import type { EventStreams } from '../streams/session/node-link.js'
import type { ServerState } from '../streams/session/server-state.js'
import type { FollowTransaction } from '../streams/status/transaction-status.js'
import type { Utxos } from '../streams/utxos/utxos.js'
import type { WalletSession } from '../streams/wallet/wallet-session.js'
import type { Wasm } from '../streams/wasm.js'
import type { ConnectionControl } from './connection-control.js'
import { createCore, type ChainCore } from './core.js'
import { feature } from './feature.js'
import { acceptance } from './features/acceptance.js'
import { blocks } from './features/blocks.js'
import { keys } from './features/keys.js'
import { restClients } from './features/rest.js'
import { rpc } from './features/rpc.js'
import { scopeVerbs } from './features/scope-verbs.js'
import { scores } from './features/scores.js'
import { transactionStatus } from './features/transaction-status.js'
import { transactions } from './features/transactions.js'
import { utxos } from './features/utxos.js'
import { wallet } from './features/wallet.js'
import type { ChainEngineOptions } from './options.js'

/**
 * Everything an engine can do, joined. Making one does no work: listening, asking and connecting do. Streams that end in
 * `State` or tell a score replay the latest value; the others are events and replay nothing. None ever errors, all
 * complete with `dispose()`. What each promises beside that is said where it is made.
 */
export interface ChainEngine {
  /** The WASM module, which only keys and signatures need. */
  readonly wasm: Pick<Wasm, 'status$' | 'init' | 'reset'>
  /** The one connection to a node: its state, and the verbs that change it. */
  readonly connection: ConnectionControl
  /**
   * The node at the other end, as it last said. Hot and shared; a late subscriber gets the latest at once. In order, a new
   * node's words after the old one's. Emits only changes, never errors, completes with the engine. Watching dials nothing.
   */
  readonly server$: Observable<ServerState>
  /**
   * The virtual DAA score, which counts blocks and dates coins. Hot and shared; a late subscriber gets the latest at once,
   * if a node of this network has said one. In the order of the node, only changes; after a reconnect what the new
   * connection says. Never errors, completes with the engine. The node is subscribed to it while anyone listens.
   */
  readonly virtualDaaScore$: Observable<bigint>
  /** The sink's blue score, which counts confirmations. Promises what `virtualDaaScore$` promises. */
  readonly sinkBlueScore$: Observable<bigint>
  /** What the node tells, as it comes, by type: `events$('block-added')`. Hot; replays nothing, not even after an outage. */
  readonly events$: EventStreams
  /**
   * What could not be made whole of acceptance and blocks, and why, before what follows the gap. Hot and shared; replays
   * nothing, in the order in which it comes to be known. Never errors, completes with the engine; asks the node for nothing.
   */
  readonly gaps$: Observable<Gap>
  /** A ledger of some addresses, or of whichever the stream names. */
  readonly utxos: Utxos['ledger']
  /** What the virtual chain accepts, and takes back in a reorg; whole over outages, but for what `gaps$` tells. */
  readonly acceptedTransactions$: AcceptedTransactions
  /**
   * Every block since the first listener came, once, in the node's order; what came during an outage follows once it is
   * over, and what could not be read is in `gaps$`. Hot and shared; a late subscriber hears nothing of the past. Never
   * errors, completes with the engine.
   */
  blocks$(): Observable<BlockInfo>
  /** Where one transaction stands, from the mempool to its last confirmation. It always completes. */
  readonly transactionStatus$: FollowTransaction
  /** Every query of the node, and the verbs that subscribe to its notifications. */
  readonly rpc: RpcQueries & ScopeVerbs
  /** What a payment would cost, made ready to sign, or sent. */
  readonly transactions: TransactionOperations
  /** Keys, phrases, addresses and messages; most need the WASM module. */
  readonly keys: KeyOperations
  /** The user's browser wallet. */
  readonly wallet: WalletSession
  /** The indexer's client for the network of the moment. */
  readonly rest: ChainRestClient
  /** Makes another network the engine's own; ledgers and cursors start anew. */
  switchNetwork(network: ChainNetwork, options?: { readonly url?: string | undefined }): Promise<void>
  /**
   * Closes the socket, stops every timer, completes every stream. Safe to call twice. What cannot be ended keeps nothing
   * else from its end: then it rejects with `ChainError`, whose cause tells of each failure.
   */
  dispose(): Promise<void>
}

/**
 * An engine with every feature. Any number of them live side by side and share nothing but the loaded WASM module.
 * Throws `ChainError` (`invalid-option`) that names the option and what is allowed.
 * @example
 * const engine = createChainEngine({ network: 'simnet' })
 * engine.virtualDaaScore$.subscribe((score) => console.log(score))
 */
export const createChainEngine = (options?: ChainEngineOptions): ChainEngine => joinEngine(createCore(options))

/** All features of `core` as one object; each is made when it is first asked for. */
export function joinEngine(core: ChainCore): ChainEngine {
  const { wasm, connection, server$, events$ } = core
  return {
    wasm: { status$: wasm.status$, init: () => wasm.init(), reset: () => wasm.reset() },
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
    get acceptedTransactions$() {
      return feature(core, acceptance).accepted$
    },
    blocks$: () => feature(core, blocks).blocks$,
    get transactionStatus$() {
      return feature(core, transactionStatus)
    },
    get rpc() {
      return feature(core, queriesAndVerbs)
    },
    get transactions() {
      return feature(core, transactions)
    },
    get keys() {
      return feature(core, keys)
    },
    get wallet() {
      return feature(core, wallet)
    },
    get rest() {
      return feature(core, restClients).now()
    },
    switchNetwork: (network, options) => core.switchNetwork(network, options),
    dispose: () => core.dispose(),
  }
}

/** Joined once: to spread fifty functions costs more than a call. */
const queriesAndVerbs = (core: ChainCore): RpcQueries & ScopeVerbs => ({
  ...feature(core, rpc),
  ...feature(core, scopeVerbs),
})
