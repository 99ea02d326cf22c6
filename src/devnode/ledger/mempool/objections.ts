import { isCoinbase } from '../../../model/mass.js'
import type { Transaction } from '../../../model/transaction.js'
import { viewOf, type Network } from '../network.js'
import { objectToCovenantIds } from '../rules/covenants.js'
import { objectInIsolation, objectToCounts } from '../rules/isolation.js'
import { firstObjection, type Objection } from '../rules/objection.js'
import { objectToAges, objectToAmounts, objectToImmature, objectToLockTime } from '../rules/spending.js'
import { objectToFee, objectToInputs, objectToLimits, objectToOutputs, objectToStorageMass } from '../rules/standard.js'
import type { KnownTransaction } from '../transaction.js'
import type { PoolEntry } from './pool.js'
import { objectToFeerate, objectToRivals, type RivalPolicy } from './rivals.js'
import { objectToImpossible } from './spent.js'

/** What the mempool objects to, in the order of a real node: the order decides which of several faults is told. */

/** The RPC's own check, whose words carry no id. */
export function objectToFields({ version, inputs }: Transaction): Objection {
  const isWrong =
    version === 0
      ? inputs.some(({ computeBudget = 0 }) => computeBudget > 0)
      : inputs.some(({ sigOpCount }) => sigOpCount > 0)
  const field = version === 0 ? 'compute_budget' : 'sig_op_count'
  return isWrong
    ? `RpcTransactionInput.${field} is inconsistent with transaction version ${String(version)}`
    : undefined
}

/** Whatever can be told without knowing the coins. */
export function objectBeforeCoins(network: Network, known: KnownTransaction, policy: RivalPolicy): Objection {
  const { id, transaction } = known
  const { pool, included } = network.mempool
  const from = viewOf(network)
  return firstObjection([
    () => (isCoinbase(transaction) ? `coinbase transaction ${id} cannot be added to the mempool` : undefined),
    () => (included.has(id, from.daaScore) ? `transaction ${id} was already accepted by the consensus` : undefined),
    () => (pool.find(id) === undefined ? undefined : `transaction ${id} is already in the mempool`),
    () => objectToCounts(transaction),
    () => objectToLimits(known),
    () => objectToOutputs(known),
    () => objectToRivals(network, known, policy),
    () => objectToImpossible(network, known),
    () => objectInIsolation(transaction),
    () => objectToLockTime(transaction, from),
  ])
}

/** Whatever needs them. The fee is judged last: a wrong signature hides a low fee. */
export function objectToEntry(network: Network, entry: PoolEntry, policy: RivalPolicy): Objection {
  const { known, spent, fee } = entry
  const from = viewOf(network)
  return firstObjection([
    () => objectToImmature(spent, from),
    () => objectToAmounts(known.transaction, spent),
    () => objectToAges(known.transaction, spent, from),
    () => objectToFeerate(network, entry, policy),
    () => objectToCovenantIds(known.transaction, spent),
    () => network.state.judge.verified.object(known, spent),
    () => objectToStorageMass(known.transaction.mass),
    () => objectToInputs(known, spent),
    () => objectToFee(known, fee),
  ])
}
