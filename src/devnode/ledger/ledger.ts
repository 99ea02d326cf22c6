import { invalidArgument } from '../../errors/chain-error.js'
import { NETWORKS, type NetworkParams } from '../../model/network.js'
import type { NodeNotification, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { Answer } from './answer.js'
import { judgeBlock } from './chain/judge-block.js'
import { createNetwork, demandCoin, toGenesisEntries } from './create-network.js'
import { createHistory, type History } from './history.js'
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

export type { Answer, Coin, FundOptions, History, LedgerMethod, LedgerOptions, MineOptions, ReorgOptions, Truth }

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
export function createLedger(options: LedgerOptions = {}): Ledger {
  const { network: id = 'simnet', nodeVersion = '2.1.0', genesisCoins = [], faucet = 0n, rpcMode = 'safe' } = options
  const params = NETWORKS[id]
  const ownAddress = faucetAddress(params.addressPrefix)
  const ownCoins = faucet > 0n ? [{ address: ownAddress, amount: faucet }] : []
  const coins = toGenesisEntries(params, [...genesisCoins, ...ownCoins])
  const snapshots: Network[] = []
  let network = createNetwork(params, coins)
  let templates = new Templates()
  const current = (): Network => network
  const minerOf = (address = ownAddress, extraData = '') => toMiner(address, nodeVersion, extraData)

  return {
    network: params,
    answer: (method, request, now) => answerQuery({ network, templates, nodeVersion, rpcMode, now }, method, request),

    submitBlock: ({ block }, now) => {
      const submission = judgeBlock(network.state, block, BigInt(now))
      if (submission.kind === 'invalid')
        return { result: { report: { type: 'reject', reason: 'blockInvalid' } }, events: [] }
      if (submission.kind === 'new') network.state.insert(submission.block)
      const events = submission.kind === 'new' ? settle(network, [submission.block]) : []
      return { result: { report: { type: 'success' } }, events }
    },

    mine: ({ now, count = 1, parallel = 1, address, extraData }) => {
      const { hashes, events } = mine(network, { miner: minerOf(address, extraData), now, count, parallel })
      return { result: hashes, events }
    },

    fund: (funded, { now, as = 'transfer' }) => {
      for (const [index, coin] of funded.entries()) demandCoin(params, coin, `coins[${String(index)}]`)
      const plan = { now, miner: minerOf(), nodeVersion, prefix: params.addressPrefix }
      const fund = as === 'transfer' ? fundByTransfer : fundByCoinbase
      const { transactionId, events } = fund(network, funded, plan)
      return { result: { transactionId }, events }
    },

    reorg: ({ depth, drop = [], now }) => {
      const { removed, added, events } = reorganize(network, { depth, drop: new Set(drop), now, miner: minerOf() })
      return { result: { removed, added }, events }
    },

    snapshot: () => snapshots.push(copyOf(network)) - 1,

    revert: (number) => {
      const snapshot = snapshots[number]
      if (snapshot === undefined) throw invalidArgument('snapshot', `There is no snapshot ${String(number)}`)
      const before = network.state
      network = copyOf(snapshot)
      templates = new Templates()
      return { result: undefined, events: reverted(before, network.state) }
    },

    truth: createTruth(current),
    history: createHistory(current, coins),
  }
}

const copyOf = ({ state, mempool }: Network): Network => ({ state: state.copy(), mempool: mempool.copy() })
