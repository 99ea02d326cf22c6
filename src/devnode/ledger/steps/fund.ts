import { toScriptPublicKey } from '../../../model/address.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { NodeNotification } from '../../../node/messages/records.js'
import type { Miner } from '../block.js'
import type { Network } from '../network.js'
import { payFromFaucet } from './faucet.js'
import { mineOne } from './mine.js'
import { toMiner } from './miner.js'

/** An amount for an address. */
export interface Coin {
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
}

export interface FundPlan {
  /** Unix milliseconds. */
  readonly now: number
  /** Whom the blocks pay that are mined on the way. */
  readonly miner: Miner
  readonly nodeVersion: string
  readonly prefix: AddressPrefix
}

export interface Funded {
  /** The transaction that pays the last of the coins. */
  readonly transactionId: string
  readonly events: readonly NodeNotification[]
}

/** One block with one payment from the faucet: the coins are there at once, as ordinary coins. */
export function fundByTransfer(network: Network, coins: readonly Coin[], { now, miner, prefix }: FundPlan): Funded {
  const outputs = coins.map(({ address, amount }) => ({
    value: amount,
    scriptPublicKey: toScriptPublicKey(address, 'address'),
  }))
  const payment = payFromFaucet(network.state.coins, prefix, outputs)
  const { events } = mineOne(network, { transactions: [payment], miner, timestamp: now })
  return { transactionId: payment.id, events }
}

/** A block for each coin that earns just that amount, and one more that pays the last of them out: immature coins. */
export function fundByCoinbase(
  network: Network,
  coins: readonly Coin[],
  { now, miner, nodeVersion }: FundPlan,
): Funded {
  const earning = coins.map(({ address, amount }) =>
    mineOne(network, { transactions: [], miner: toMiner(address, nodeVersion), timestamp: now, subsidy: amount }),
  )
  const paying = mineOne(network, { transactions: [], miner, timestamp: now })
  return {
    transactionId: paying.block.transactions[0]?.id ?? '',
    events: [...earning.flatMap(({ events }) => events), ...paying.events],
  }
}
