import type { NodeNotification } from '../../../node/messages/records.js'
import type { Outpoint } from '../../../model/utxo.js'
import type { TransactionOutput } from '../../../model/transaction.js'
import type { Network } from '../network.js'
import { payFromFaucet } from './faucet.js'
import type { FundPlan } from './fund.js'
import { mineOne } from './mine.js'

/** A covenant that a block has begun. */
export interface BegunCovenant {
  readonly covenantId: string
  readonly transactionId: string
  /** The outpoint that its id is made of. */
  readonly outpoint: Outpoint
}

/** Mines one block with a payment from the faucet whose outputs begin one covenant. */
export function beginCovenant(
  network: Network,
  outputs: readonly TransactionOutput[],
  { now, miner, prefix }: FundPlan,
): BegunCovenant & { readonly events: readonly NodeNotification[] } {
  const payment = payFromFaucet(network.state, prefix, outputs, 'covenant')
  const { events } = mineOne(network, { transactions: [payment], miner, timestamp: now })
  const [input] = payment.transaction.inputs
  const covenantId = payment.transaction.outputs[0]?.covenant?.covenantId
  if (input === undefined || covenantId === undefined) throw new TypeError('A genesis has an input and a bound output')
  return { covenantId, transactionId: payment.id, outpoint: input.previousOutpoint, events }
}
