import type { UtxoEntry } from '../../../model/utxo.js'
import type { Network } from '../network.js'
import { UNACCEPTED_DAA_SCORE } from '../params.js'
import type { Objection } from '../rules/objection.js'
import type { KnownTransaction } from '../transaction.js'
import { coinOf } from '../utxo/entry.js'

/** The coins that a transaction spends, those of the mempool included; undefined where one is missing. */
export function findSpent(network: Network, { transaction }: KnownTransaction): readonly UtxoEntry[] | undefined {
  const { state, mempool } = network
  const spent = transaction.inputs.map(({ previousOutpoint }) => {
    const { transactionId, index } = previousOutpoint
    const parent = mempool.pool.find(transactionId)?.known
    if (parent === undefined) return state.coins.get(previousOutpoint)
    if (index >= parent.transaction.outputs.length) return undefined
    return coinOf(parent, index, UNACCEPTED_DAA_SCORE, state.judge.addresses)
  })
  return spent.every((entry) => entry !== undefined) ? spent : undefined
}

/** A parent that is in the mempool and has no such output: that coin can never be. */
export function objectToImpossible({ mempool: { pool } }: Network, { transaction }: KnownTransaction): Objection {
  const isImpossible = transaction.inputs.some(({ previousOutpoint: { transactionId, index } }) => {
    const parent = pool.find(transactionId)
    return parent !== undefined && index >= parent.known.transaction.outputs.length
  })
  return isImpossible
    ? 'at least one outpoint of the transaction is impossible to have a matching UTXO entry'
    : undefined
}
