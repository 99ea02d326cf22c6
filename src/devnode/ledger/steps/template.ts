import { decodeAddress } from '../../../model/address.js'
import type { RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import { give, refuse, type Answer } from '../answer.js'
import type { Virtual } from '../chain/virtual.js'
import type { Network } from '../network.js'
import { selectTransactions } from '../mempool/selection.js'
import { MAX_COINBASE_PAYLOAD, TEMPLATE_LIFETIME } from '../params.js'
import type { KnownTransaction } from '../transaction.js'
import { assemble } from './build.js'
import { toMiner } from './miner.js'

/** What a template was made of, and when. */
interface Selection {
  readonly virtual: Virtual
  /** Unix milliseconds. */
  readonly at: number
  readonly transactions: readonly KnownTransaction[]
}

/**
 * Templates for miners. A choice of transactions stands for a second, or until the next block: what came into the mempool
 * meanwhile has to wait.
 */
export class Templates {
  #selection: Selection | undefined

  answer(
    network: Network,
    nodeVersion: string,
    { payAddress, extraData }: RpcRequest<'getBlockTemplate'>,
    now: number,
  ): Answer<RpcResponse<'getBlockTemplate'>> {
    const { prefix } = decodeAddress(payAddress)
    if (prefix !== network.state.judge.addresses.prefix) return refuse(`The address has an invalid prefix ${prefix}`)
    const { virtual, transactions } = this.#select(network, now)
    const miner = toMiner(payAddress, nodeVersion, extraData)
    const { header, transactions: known } = assemble(network.state, virtual, { transactions, miner, timestamp: now })
    const bare = known.map(({ transaction }) => transaction)
    const payload = bare[0]?.payload ?? ''
    if (payload.length > 2 * MAX_COINBASE_PAYLOAD)
      return refuse(
        `Coinbase payload is above max length (${String(MAX_COINBASE_PAYLOAD)}). Try to shorten the extra data.`,
      )
    return give({ block: { header, transactions: bare }, isSynced: true })
  }

  #select(network: Network, now: number): Selection {
    const last = this.#selection
    const age = last === undefined ? Infinity : now - last.at
    if (last?.virtual === network.state.virtual && age >= 0 && age <= TEMPLATE_LIFETIME) return last
    const selection = { virtual: network.state.virtual, at: now, transactions: selectTransactions(network) }
    this.#selection = selection
    return selection
  }
}
