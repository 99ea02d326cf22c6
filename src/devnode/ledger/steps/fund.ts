import { toScriptPublicKey } from '../../../model/address.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { NodeNotification } from '../../../node/messages/records.js'
import type { Miner } from '../block.js'
import type { Network } from '../network.js'
import { payFromFaucet } from './faucet.js'
import { mineOne } from './mine.js'
import { toMiner } from './template.js'

/** An amount for an address. */
export interface Utxo {
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
}

export interface FundPlan {
  /** Unix milliseconds. */
  readonly now: number
  /** Miner of the blocks. */
  readonly miner: Miner
  readonly nodeVersion: string
  readonly prefix: AddressPrefix
}

export interface Funded {
  /** The transaction that creates the last UTXO. */
  readonly transactionId: string
  readonly events: readonly NodeNotification[]
}

/** Mines one block with one payment from the faucet. The UTXOs are mature at once. */
export function fundByTransfer(network: Network, utxos: readonly Utxo[], { now, miner, prefix }: FundPlan): Funded {
  const outputs = utxos.map(({ address, amount }) => ({
    value: amount,
    scriptPublicKey: toScriptPublicKey(address, 'address'),
  }))
  const payment = payFromFaucet(network.state, prefix, outputs)
  const { events } = mineOne(network, { transactions: [payment], miner, timestamp: now })
  return { transactionId: payment.id, events }
}

/** Mines a block with that subsidy for each UTXO, and one more that pays out the last. The UTXOs are immature. */
export function fundByCoinbase(
  network: Network,
  utxos: readonly Utxo[],
  { now, miner, nodeVersion }: FundPlan,
): Funded {
  const subsidised = utxos.map(({ address, amount }) =>
    mineOne(network, { transactions: [], miner: toMiner(address, nodeVersion), timestamp: now, subsidy: amount }),
  )
  const last = mineOne(network, { transactions: [], miner, timestamp: now })
  return {
    transactionId: last.block.transactions[0]?.id ?? '',
    events: [...subsidised.flatMap(({ events }) => events), ...last.events],
  }
}
