import type { UtxoEntry } from '../../../model/utxo.js'
import type { Network } from '../network.js'
import { UNACCEPTED_DAA_SCORE } from '../params.js'
import type { Violation } from '../../../model/transaction-rules/violation.js'
import type { KnownTransaction } from '../transaction.js'
import { utxoOf } from '../utxo/entry.js'

/** Spent UTXOs by input, including outputs of mempool transactions; undefined if one is missing. */
export function findSpentUtxos(network: Network, { transaction }: KnownTransaction): readonly UtxoEntry[] | undefined {
  const { state, mempool } = network
  const spent = transaction.inputs.map(({ previousOutpoint }) => {
    const { transactionId, index } = previousOutpoint
    const parent = mempool.pool.find(transactionId)?.known
    if (parent === undefined) return state.utxos.get(previousOutpoint)
    if (index >= parent.transaction.outputs.length) return undefined
    return utxoOf(parent, index, UNACCEPTED_DAA_SCORE, state.validation.addresses)
  })
  return spent.every((entry) => entry !== undefined) ? spent : undefined
}

/** Rejects an outpoint whose index is beyond the outputs of its mempool transaction. */
export function validateOutpoints({ mempool: { pool } }: Network, { transaction }: KnownTransaction): Violation {
  const isImpossible = transaction.inputs.some(({ previousOutpoint: { transactionId, index } }) => {
    const parent = pool.find(transactionId)
    return parent !== undefined && index >= parent.known.transaction.outputs.length
  })
  return isImpossible
    ? 'at least one outpoint of the transaction is impossible to have a matching UTXO entry'
    : undefined
}
