import { invalidArgument } from '../../errors/chain-error.js'
import { NETWORKS, type NetworkParams } from '../../model/network.js'
import type { NodeNotification, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { RpcResult } from './result.js'
import { createExpected, type ExpectedBalance, type Expected, type ExpectedTransfer } from './expected.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { Miner } from './block.js'
import { validateBlock } from './chain/validate-block.js'
import { createNetwork, assertUtxo, toGenesisEntries } from './create-network.js'
import { createHistory, type History, type LedgerTransaction } from './history.js'
import { Mempool } from './mempool/mempool.js'
import { Refusals, type RefusedScript } from './mempool/refusals.js'
import { type Network, pruneBelow } from './network.js'
import type { FundOptions, LedgerOptions, MineOptions, PruneOptions, ReorgOptions, SyncOptions } from './options.js'
import { runQuery, type LedgerMethod } from './queries/queries.js'
import {
  faucetAddress,
  beginCovenant,
  type BegunCovenant,
  fundByCoinbase,
  fundByTransfer,
  type FundPlan,
  type Utxo,
} from './steps/fund.js'
import { mine, minerOfScript, toMiner, Templates, resolveVirtual } from './steps/mine.js'
import { reorganize } from './steps/reorg.js'
import { revertEvents, syncFrom } from './steps/sync.js'

export type {
  RpcResult,
  Utxo,
  FundOptions,
  History,
  LedgerMethod,
  LedgerOptions,
  LedgerTransaction,
  MineOptions,
  ReorgOptions,
  ExpectedBalance,
  ExpectedTransfer,
  Expected,
  SyncOptions,
  PruneOptions,
  BegunCovenant,
  RefusedScript,
}

/**
 * The result of a state change and its notifications, in the node's order. `utxos-changed` holds the changes of all
 * addresses and `virtual-chain-changed` all accepted ids: the server filters them by the scope of each subscription.
 */
export interface Step<T> {
  readonly result: T
  readonly events: readonly NodeNotification[]
}

/**
 * A Kaspa network in memory: DAG, virtual, UTXO set, mempool. Synchronous and deterministic: equal calls give equal
 * ledgers. It has no clock (time is an argument), no socket and no randomness.
 */
export interface Ledger {
  readonly network: NetworkParams
  /** Executes an RPC call that adds no block; `now` is unix milliseconds. */
  call<M extends LedgerMethod>(method: M, request: RpcRequest<M>, now: number): RpcResult<RpcResponse<M>>
  /** Validates and adds a miner's block. */
  submitBlock(request: RpcRequest<'submitBlock'>, now: number): Step<RpcResponse<'submitBlock'>>
  /** Mines on the current tips with transactions of the mempool. Result: the hashes of the new blocks. */
  mine(options: MineOptions): Step<readonly string[]>
  /** Creates UTXOs. Result: the transaction that creates the last one. Throws `ChainError`. */
  fund(utxos: readonly Utxo[], options: FundOptions): Step<{ readonly transactionId: string }>
  /** Pays from the faucet to outputs that begin a covenant. Throws `ChainError`. */
  beginCovenant(outputs: readonly TransactionOutput[], now: number): Step<BegunCovenant>
  /** Where the script of a refused transaction failed; undefined for any other one. */
  explain(transactionId: string): RefusedScript | undefined
  /** Replaces the last chain blocks. Result: removed chain blocks, newest first, and added ones, oldest first. */
  reorg(options: ReorgOptions): Step<LedgerReorg>
  /** A second node with the same history, or with that of a snapshot. Blocks that the two mine from then on differ. */
  fork(options: ForkOptions): Ledger
  /** Adds the blocks of a fork; its branch becomes the chain if it is heavier. Result as that of `reorg`. */
  sync(peer: Ledger, options?: SyncOptions): Step<LedgerReorg>
  /** Removes the history below a chain block. Throws `ChainError`. */
  prune(options: PruneOptions): void
  /** Saves the current state and returns its number. */
  snapshot(): number
  /** Restores a saved state; its notifications are those of a reorg. Throws `ChainError` for an unknown number. */
  revert(snapshot: number): Step<undefined>
  /** Empties what a node keeps in memory only: the mempool, the ids of recent blocks, the template. */
  restart(): void
  readonly expected: Expected
  readonly history: History
}

/** Removed chain blocks, newest first, and added ones, oldest first. */
export interface LedgerReorg {
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

export interface ForkOptions {
  /**
   * Hex, in the coinbase payload of every block that the fork mines: distinguishes its blocks from those of other
   * nodes.
   */
  readonly extraData: string
  /** @default the current state */
  readonly snapshot?: number | undefined
}

/** A network at genesis. Throws `ChainError` (`invalid-argument`) for an invalid genesis UTXO. */
export function createLedger(options: LedgerOptions = {}): Ledger {
  const {
    network = 'simnet',
    nodeVersion = '2.1.0',
    genesisUtxos = [],
    faucet = 0n,
    rpcMode = 'safe',
    onRefused,
  } = options
  const params = NETWORKS[network]
  const faucetUtxos = faucet > 0n ? [{ address: faucetAddress(params.addressPrefix), amount: faucet }] : []
  const utxos = toGenesisEntries(params, [...genesisUtxos, ...faucetUtxos])
  return new MemoryLedger(
    { params, nodeVersion, rpcMode, utxos, extraData: '' },
    createNetwork(params, utxos, new Refusals(onRefused)),
  )
}

/** What does not change in the life of a ledger. */
interface LedgerSettings {
  readonly params: NetworkParams
  readonly nodeVersion: string
  readonly rpcMode: 'safe' | 'unsafe'
  /** The UTXO set of genesis. */
  readonly utxos: readonly UtxoEntry[]
  /** Hex, in the coinbase payload of mined blocks. */
  readonly extraData: string
}

class MemoryLedger implements Ledger {
  readonly network: NetworkParams
  readonly expected: Expected
  readonly history: History
  readonly #settings: LedgerSettings
  readonly #faucet: string
  readonly #snapshots: Network[] = []
  #network: Network
  #templates = new Templates()

  constructor(settings: LedgerSettings, network: Network) {
    this.network = settings.params
    this.#settings = settings
    this.#faucet = faucetAddress(this.network.addressPrefix)
    this.#network = network
    this.expected = createExpected(() => this.#network)
    this.history = createHistory(() => this.#network, settings.utxos)
  }

  call<M extends LedgerMethod>(method: M, request: RpcRequest<M>, now: number): RpcResult<RpcResponse<M>> {
    const { nodeVersion, rpcMode } = this.#settings
    const scope = { network: this.#network, templates: this.#templates, nodeVersion, rpcMode, now }
    return runQuery(scope, method, request)
  }

  submitBlock({ block, allowNonDaaBlocks }: RpcRequest<'submitBlock'>, now: number): Step<RpcResponse<'submitBlock'>> {
    const network = this.#network
    const submission = validateBlock(network.state, block, BigInt(now), allowNonDaaBlocks ? 'any' : 'recent')
    if (submission.kind === 'header-only') network.state.dag.insertHeader(submission.block)
    if (submission.kind === 'invalid' || submission.kind === 'header-only')
      return { result: { report: { type: 'reject', reason: 'blockInvalid' } }, events: [] }
    if (submission.kind === 'known') return { result: { report: { type: 'success' } }, events: [] }
    network.state.insert(submission.block)
    return { result: { report: { type: 'success' } }, events: resolveVirtual(network, [submission.block]) }
  }

  mine({ now, count = 1, parallel = 1, address, script, extraData }: MineOptions): Step<readonly string[]> {
    const miner = script === undefined ? this.#miner(address, extraData) : this.#minerOfScript(script, extraData)
    const { hashes, events } = mine(this.#network, { miner, now, count, parallel })
    return { result: hashes, events }
  }

  fund(utxos: readonly Utxo[], { now, as = 'transfer' }: FundOptions): Step<{ readonly transactionId: string }> {
    for (const [index, utxo] of utxos.entries()) assertUtxo(this.network, utxo, `utxos[${String(index)}]`)
    const fund = as === 'transfer' ? fundByTransfer : fundByCoinbase
    const { transactionId, events } = fund(this.#network, utxos, this.#fundPlan(now))
    return { result: { transactionId }, events }
  }

  beginCovenant(outputs: readonly TransactionOutput[], now: number): Step<BegunCovenant> {
    const { events, ...result } = beginCovenant(this.#network, outputs, this.#fundPlan(now))
    return { result, events }
  }

  explain(transactionId: string): RefusedScript | undefined {
    return this.#network.refusals.explain(transactionId)
  }

  reorg({ depth, drop = [], doubleSpend = [], now }: ReorgOptions): Step<LedgerReorg> {
    const plan = { depth, drop: new Set(drop), doubleSpend: new Set(doubleSpend), now, miner: this.#miner() }
    const { removed, added, events } = reorganize(this.#network, plan)
    return { result: { removed, added }, events }
  }

  fork({ extraData, snapshot }: ForkOptions): Ledger {
    const network = snapshot === undefined ? this.#network : this.#snapshot(snapshot)
    return new MemoryLedger({ ...this.#settings, extraData }, copyOf(network))
  }

  sync(peer: Ledger, options: SyncOptions = {}): Step<LedgerReorg> {
    if (!(peer instanceof MemoryLedger)) throw new TypeError('A peer is a ledger of this module')
    const { removed, added, events } = syncFrom(this.#network, peer.#network, options)
    return { result: { removed, added }, events }
  }

  prune({ depth, headers = 0 }: PruneOptions): void {
    const { state } = this.#network
    const length = state.chain.length
    if (!Number.isInteger(depth) || depth < 0 || depth >= length)
      throw invalidArgument('depth', `Pruning keeps 0 to ${String(length - 1)} blocks, not ${String(depth)}`)
    const retention = pruneBelow(state.dag, state.chain.at(length - 1 - depth), headers)
    this.#network = { ...this.#network, retention }
  }

  snapshot(): number {
    return this.#snapshots.push(copyOf(this.#network)) - 1
  }

  revert(number: number): Step<undefined> {
    const before = this.#network.state
    this.#network = copyOf(this.#snapshot(number))
    this.#templates = new Templates()
    return { result: undefined, events: revertEvents(before, this.#network.state) }
  }

  restart(): void {
    this.#network = { ...this.#network, mempool: Mempool.empty() }
    this.#templates = new Templates()
  }

  #snapshot(number: number): Network {
    const snapshot = this.#snapshots[number]
    if (snapshot === undefined) throw invalidArgument('snapshot', `There is no snapshot ${String(number)}`)
    return snapshot
  }

  #fundPlan(now: number): FundPlan {
    const { nodeVersion } = this.#settings
    return { now, miner: this.#miner(), nodeVersion, prefix: this.network.addressPrefix }
  }

  #miner(address = this.#faucet, extraData = ''): Miner {
    return toMiner(address, this.#settings.nodeVersion, this.#settings.extraData + extraData)
  }

  #minerOfScript(script: string, extraData = ''): Miner {
    return minerOfScript({ version: 0, script }, this.#settings.nodeVersion, this.#settings.extraData + extraData)
  }
}

const copyOf = ({ state, mempool, retention, refusals }: Network): Network => ({
  state: state.copy(),
  mempool: mempool.copy(),
  retention,
  refusals,
})
