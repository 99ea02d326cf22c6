import { invalidArgument } from '../../errors/chain-error.js'
import { NETWORKS, type NetworkParams } from '../../model/network.js'
import type { NodeNotification, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { RpcResult } from './result.js'
import type { ExpectedBalance } from './balance.js'
import type { Miner } from './block.js'
import { validateBlock } from './chain/validate-block.js'
import { createNetwork, assertUtxo, toGenesisEntries } from './create-network.js'
import { createHistory, type History, type LedgerTransaction } from './history.js'
import type { Network } from './network.js'
import type { FundOptions, LedgerOptions, MineOptions, ReorgOptions } from './options.js'
import { runQuery, type LedgerMethod } from './queries/queries.js'
import { faucetAddress } from './steps/faucet.js'
import { fundByCoinbase, fundByTransfer, type Utxo } from './steps/fund.js'
import { mine } from './steps/mine.js'
import { toMiner } from './steps/miner.js'
import { reorganize } from './steps/reorg.js'
import { revertEvents } from './steps/revert.js'
import { resolveVirtual } from './steps/resolve-virtual.js'
import { Templates } from './steps/template.js'
import { createExpected, type Expected } from './expected.js'

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
  Expected,
}

/**
 * The result of a state change and its notifications, in the node's order. `utxos-changed` holds the changes of all addresses
 * and `virtual-chain-changed` all accepted ids: the server filters them by the scope of each subscription.
 */
export interface Step<T> {
  readonly result: T
  readonly events: readonly NodeNotification[]
}

/**
 * A Kaspa network in memory: DAG, virtual, UTXO set, mempool. Synchronous and deterministic: equal calls give equal ledgers.
 * It has no clock (time is an argument), no socket and no randomness.
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
  /** Replaces the last chain blocks. Result: removed chain blocks, newest first, and added ones, oldest first. */
  reorg(options: ReorgOptions): Step<{ readonly removed: readonly string[]; readonly added: readonly string[] }>
  /** Saves the current state and returns its number. */
  snapshot(): number
  /** Restores a saved state; its notifications are those of a reorg. Throws `ChainError` for an unknown number. */
  revert(snapshot: number): Step<undefined>
  readonly expected: Expected
  readonly history: History
}

/** A network at genesis. Throws `ChainError` (`invalid-argument`) for an invalid genesis UTXO. */
export const createLedger = (options: LedgerOptions = {}): Ledger => new MemoryLedger(options)

class MemoryLedger implements Ledger {
  readonly network: NetworkParams
  readonly expected: Expected
  readonly history: History
  readonly #nodeVersion: string
  readonly #rpcMode: 'safe' | 'unsafe'
  readonly #faucet: string
  readonly #snapshots: Network[] = []
  #network: Network
  #templates = new Templates()

  constructor({
    network = 'simnet',
    nodeVersion = '2.1.0',
    genesisUtxos = [],
    faucet = 0n,
    rpcMode = 'safe',
  }: LedgerOptions) {
    this.network = NETWORKS[network]
    this.#nodeVersion = nodeVersion
    this.#rpcMode = rpcMode
    this.#faucet = faucetAddress(this.network.addressPrefix)
    const faucetUtxos = faucet > 0n ? [{ address: this.#faucet, amount: faucet }] : []
    const utxos = toGenesisEntries(this.network, [...genesisUtxos, ...faucetUtxos])
    this.#network = createNetwork(this.network, utxos)
    this.expected = createExpected(() => this.#network)
    this.history = createHistory(() => this.#network, utxos)
  }

  call<M extends LedgerMethod>(method: M, request: RpcRequest<M>, now: number): RpcResult<RpcResponse<M>> {
    const scope = { network: this.#network, templates: this.#templates, nodeVersion: this.#nodeVersion }
    return runQuery({ ...scope, rpcMode: this.#rpcMode, now }, method, request)
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

  mine({ now, count = 1, parallel = 1, address, extraData }: MineOptions): Step<readonly string[]> {
    const { hashes, events } = mine(this.#network, { miner: this.#miner(address, extraData), now, count, parallel })
    return { result: hashes, events }
  }

  fund(utxos: readonly Utxo[], { now, as = 'transfer' }: FundOptions): Step<{ readonly transactionId: string }> {
    for (const [index, utxo] of utxos.entries()) assertUtxo(this.network, utxo, `utxos[${String(index)}]`)
    const plan = { now, miner: this.#miner(), nodeVersion: this.#nodeVersion, prefix: this.network.addressPrefix }
    const fund = as === 'transfer' ? fundByTransfer : fundByCoinbase
    const { transactionId, events } = fund(this.#network, utxos, plan)
    return { result: { transactionId }, events }
  }

  reorg({
    depth,
    drop = [],
    now,
  }: ReorgOptions): Step<{ readonly removed: readonly string[]; readonly added: readonly string[] }> {
    const plan = { depth, drop: new Set(drop), now, miner: this.#miner() }
    const { removed, added, events } = reorganize(this.#network, plan)
    return { result: { removed, added }, events }
  }

  snapshot(): number {
    return this.#snapshots.push(copyOf(this.#network)) - 1
  }

  revert(number: number): Step<undefined> {
    const snapshot = this.#snapshots[number]
    if (snapshot === undefined) throw invalidArgument('snapshot', `There is no snapshot ${String(number)}`)
    const before = this.#network.state
    this.#network = copyOf(snapshot)
    this.#templates = new Templates()
    return { result: undefined, events: revertEvents(before, this.#network.state) }
  }

  #miner(address = this.#faucet, extraData = ''): Miner {
    return toMiner(address, this.#nodeVersion, extraData)
  }
}

const copyOf = ({ state, mempool }: Network): Network => ({ state: state.copy(), mempool: mempool.copy() })
