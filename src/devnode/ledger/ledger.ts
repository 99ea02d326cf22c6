import { invalidArgument } from '../../errors/chain-error.js'
import { NETWORKS, type NetworkParams } from '../../model/network.js'
import type { NodeNotification, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { Answer } from './answer.js'
import type { TrueBalance } from './balance.js'
import type { Miner } from './block.js'
import { judgeBlock } from './chain/judge-block.js'
import { createNetwork, demandCoin, toGenesisEntries } from './create-network.js'
import { createHistory, type History, type LedgerTransaction } from './history.js'
import type { Network } from './network.js'
import type { FundOptions, LedgerOptions, MineOptions, ReorgOptions } from './options.js'
import { answerQuery, type LedgerMethod } from './queries/queries.js'
import { faucetAddress } from './steps/faucet.js'
import { fundByCoinbase, fundByTransfer, type Coin } from './steps/fund.js'
import { mine } from './steps/mine.js'
import { toMiner } from './steps/miner.js'
import { reorganize } from './steps/reorg.js'
import { reverted } from './steps/revert.js'
import { settle } from './steps/settle.js'
import { Templates } from './steps/template.js'
import { createTruth, type Truth } from './truth.js'

export type {
  Answer,
  Coin,
  FundOptions,
  History,
  LedgerMethod,
  LedgerOptions,
  LedgerTransaction,
  MineOptions,
  ReorgOptions,
  TrueBalance,
  Truth,
}

/**
 * One step of the network and what listeners are told of it, in the node's order. `utxos-changed` holds the changes of all
 * addresses and `virtual-chain-changed` all accepted ids: whoever passes them on cuts them to the listener's scope.
 */
export interface Step<T> {
  readonly result: T
  readonly events: readonly NodeNotification[]
}

/**
 * A whole Kaspa network in memory: DAG, virtual, coins, mempool. Pure and deterministic: equal steps give equal ledgers.
 * It knows no clock (time comes in), no socket and no randomness, and it is synchronous.
 */
export interface Ledger {
  readonly network: NetworkParams
  /** The answer to a call that changes no block; `now` is unix milliseconds. */
  answer<M extends LedgerMethod>(method: M, request: RpcRequest<M>, now: number): Answer<RpcResponse<M>>
  /** A miner's block, judged as the node judges it. */
  submitBlock(request: RpcRequest<'submitBlock'>, now: number): Step<RpcResponse<'submitBlock'>>
  /** Mines on the current tips, mempool included. Result: the new blocks' hashes. */
  mine(options: MineOptions): Step<readonly string[]>
  /** Pays coins into being. Result: the transaction that pays the last of them. Throws `ChainError`. */
  fund(coins: readonly Coin[], options: FundOptions): Step<{ readonly transactionId: string }>
  /** Replaces the last chain blocks. Result: the chain blocks that went, newest first, and those that came, oldest first. */
  reorg(options: ReorgOptions): Step<{ readonly removed: readonly string[]; readonly added: readonly string[] }>
  /** Remembers the present state under a number. */
  snapshot(): number
  /** Goes back to a remembered state, exactly; listeners are told as of a reorg. Throws `ChainError` for an unknown number. */
  revert(snapshot: number): Step<undefined>
  readonly truth: Truth
  readonly history: History
}

/** A network at genesis. Throws `ChainError` (`invalid-argument`) for a coin that cannot be. */
export const createLedger = (options: LedgerOptions = {}): Ledger => new MemoryLedger(options)

class MemoryLedger implements Ledger {
  readonly network: NetworkParams
  readonly truth: Truth
  readonly history: History
  readonly #nodeVersion: string
  readonly #rpcMode: 'safe' | 'unsafe'
  readonly #faucet: string
  readonly #snapshots: Network[] = []
  #present: Network
  #templates = new Templates()

  constructor({
    network = 'simnet',
    nodeVersion = '2.1.0',
    genesisCoins = [],
    faucet = 0n,
    rpcMode = 'safe',
  }: LedgerOptions) {
    this.network = NETWORKS[network]
    this.#nodeVersion = nodeVersion
    this.#rpcMode = rpcMode
    this.#faucet = faucetAddress(this.network.addressPrefix)
    const ownCoins = faucet > 0n ? [{ address: this.#faucet, amount: faucet }] : []
    const coins = toGenesisEntries(this.network, [...genesisCoins, ...ownCoins])
    this.#present = createNetwork(this.network, coins)
    this.truth = createTruth(() => this.#present)
    this.history = createHistory(() => this.#present, coins)
  }

  answer<M extends LedgerMethod>(method: M, request: RpcRequest<M>, now: number): Answer<RpcResponse<M>> {
    const scope = { network: this.#present, templates: this.#templates, nodeVersion: this.#nodeVersion }
    return answerQuery({ ...scope, rpcMode: this.#rpcMode, now }, method, request)
  }

  submitBlock({ block, allowNonDaaBlocks }: RpcRequest<'submitBlock'>, now: number): Step<RpcResponse<'submitBlock'>> {
    const network = this.#present
    const submission = judgeBlock(network.state, block, BigInt(now), allowNonDaaBlocks ? 'any age' : 'recent')
    if (submission.kind === 'header only') network.state.dag.insertHeader(submission.block)
    if (submission.kind === 'invalid' || submission.kind === 'header only')
      return { result: { report: { type: 'reject', reason: 'blockInvalid' } }, events: [] }
    if (submission.kind === 'known') return { result: { report: { type: 'success' } }, events: [] }
    network.state.insert(submission.block)
    return { result: { report: { type: 'success' } }, events: settle(network, [submission.block]) }
  }

  mine({ now, count = 1, parallel = 1, address, extraData }: MineOptions): Step<readonly string[]> {
    const { hashes, events } = mine(this.#present, { miner: this.#miner(address, extraData), now, count, parallel })
    return { result: hashes, events }
  }

  fund(coins: readonly Coin[], { now, as = 'transfer' }: FundOptions): Step<{ readonly transactionId: string }> {
    for (const [index, coin] of coins.entries()) demandCoin(this.network, coin, `coins[${String(index)}]`)
    const plan = { now, miner: this.#miner(), nodeVersion: this.#nodeVersion, prefix: this.network.addressPrefix }
    const fund = as === 'transfer' ? fundByTransfer : fundByCoinbase
    const { transactionId, events } = fund(this.#present, coins, plan)
    return { result: { transactionId }, events }
  }

  reorg({
    depth,
    drop = [],
    now,
  }: ReorgOptions): Step<{ readonly removed: readonly string[]; readonly added: readonly string[] }> {
    const plan = { depth, drop: new Set(drop), now, miner: this.#miner() }
    const { removed, added, events } = reorganize(this.#present, plan)
    return { result: { removed, added }, events }
  }

  snapshot(): number {
    return this.#snapshots.push(copyOf(this.#present)) - 1
  }

  revert(number: number): Step<undefined> {
    const snapshot = this.#snapshots[number]
    if (snapshot === undefined) throw invalidArgument('snapshot', `There is no snapshot ${String(number)}`)
    const before = this.#present.state
    this.#present = copyOf(snapshot)
    this.#templates = new Templates()
    return { result: undefined, events: reverted(before, this.#present.state) }
  }

  #miner(address = this.#faucet, extraData = ''): Miner {
    return toMiner(address, this.#nodeVersion, extraData)
  }
}

const copyOf = ({ state, mempool }: Network): Network => ({ state: state.copy(), mempool: mempool.copy() })
