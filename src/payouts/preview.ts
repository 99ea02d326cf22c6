import { nextBatch } from '../operations/payouts/payout-batch.js'
import { builtOf } from '../operations/transactions/pending.js'
import type { JournalAccess } from '../streams/payouts/journal.js'
import { LOOKAHEAD } from './batch-signer.js'
import { planBatch } from './plan-batch.js'
import type { PlanContext } from './plan-payment.js'

/** The next transaction, unsigned. */
export interface PayoutPreview {
  /** The payouts that it pays. */
  readonly ids: readonly string[]
  /** Sompi, the payments together. */
  readonly paid: bigint
  /** Sompi. */
  readonly fee: bigint
  /** Grams: the greatest of its masses. */
  readonly mass: bigint
  /** Sompi that return, in one or several outputs. */
  readonly change: bigint
}

/** Plans the next transaction from settled UTXOs. */
export async function previewBatch(journal: JournalAccess, context: PlanContext): Promise<PayoutPreview | null> {
  const { batch } = context.options
  const due = await journal.due(LOOKAHEAD * batch.maxOutputs)
  const queue = due.filter((payout) => context.node.obstacleOf(payout) === undefined)
  const { items } = nextBatch(queue, batch)
  if (items.length === 0) return null
  const { free } = await context.node.freeEntries(journal, context.signal)
  const plan = await planBatch(items, { free, chained: [], others: free.length, later: 0n }, context)
  if (plan.kind !== 'planned') return null
  const { transaction } = plan
  const outputs = builtOf(transaction).transaction.outputs.slice(items.length)
  return {
    ids: items.map(({ id }) => id),
    paid: items.reduce((sum, { amount }) => sum + amount, 0n),
    fee: transaction.fee,
    mass: transaction.mass,
    change: outputs.reduce((sum, { value }) => sum + value, 0n),
  }
}
