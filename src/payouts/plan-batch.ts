import { type UtxoEntry, toOutpointKey } from '../model/utxo.js'
import { SMALLEST_CHANGE, splitChange } from '../operations/payouts/payout-batch.js'
import { builtOf } from '../operations/transactions/pending.js'
import type { PaymentOutput } from '../operations/transactions/records.js'
import { type ChainedChange, chainableChange, changeOf } from '../streams/payouts/change-chains.js'
import type { PayoutRecord } from '../streams/payouts/journal.js'
import { planOnce, toOutput, type Obstacle, type PlanContext, type PlannedPayment } from './plan-payment.js'
import type { QueueCounters } from './metrics.js'
import type { CheckedOptions } from './options.js'
import type { QueueNode } from './queue-node.js'
import type { WorkingRows } from './working-rows.js'

/** The UTXOs of a turn. */
export interface Funds {
  /** Those that may be spent. */
  readonly free: readonly UtxoEntry[]
  /** Change that is not settled, which is spent where the others do not suffice. */
  readonly chained: readonly ChainedChange[]
  /** How many UTXOs the wallet has in all. */
  readonly others: number
  /** Sompi that will be free later. */
  readonly later: bigint
}

/** Plans one transaction for `items`: from settled UTXOs, else from change that depends on the fewest payments. */
export async function planBatch(
  items: readonly PayoutRecord[],
  funds: Funds,
  context: PlanContext,
): Promise<PlannedPayment | Obstacle> {
  let entries = funds.free
  let planned = await planChange(items, entries, funds.others, context)
  const depths = [...new Set(funds.chained.map(({ depth }) => depth))].sort((a, b) => a - b)
  for (const each of depths) {
    if (planned.kind !== 'waiting' || planned.reason !== 'funds') break
    entries = [...entries, ...funds.chained.filter(({ depth }) => depth === each).map(({ entry }) => entry)]
    planned = await planChange(items, entries, funds.others, context)
  }
  return planned
}

/** Plans with change in several outputs where the wallet has few, and with change of 20 KAS where it has that much. */
async function planChange(
  items: readonly PayoutRecord[],
  entries: readonly UtxoEntry[],
  others: number,
  context: PlanContext,
): Promise<PlannedPayment | Obstacle> {
  const payments = items.map(toOutput)
  const plain = await planOnce(payments, entries, context)
  if (plain.kind !== 'planned') return plain
  const sufficient = await raiseChange(plain, payments, entries, context)
  const { change, inputs } = factsOf(sufficient, items.length)
  const paid = items.reduce((sum, { amount }) => sum + amount, 0n)
  const { changeAddress: address, batch } = context.options
  const parts = splitChange(change, { splitTo: batch.splitTo, others: others - inputs, paid })
  if (parts.length === 0) return sufficient
  const divided = await planOnce([...payments, ...parts.map((amount) => ({ address, amount }))], entries, context)
  return divided.kind === 'planned' && factsOf(divided, items.length).least >= SMALLEST_CHANGE ? divided : sufficient
}

/**
 * Small change costs as much storage mass as several payments, and pays little later: a plan that leaves some is made
 * again with further UTXOs, so that at least 20 KAS return. Where that is not possible it stays as it is.
 */
async function raiseChange(
  plain: PlannedPayment,
  payments: readonly PaymentOutput[],
  entries: readonly UtxoEntry[],
  context: PlanContext,
): Promise<PlannedPayment> {
  const { changeAddress: address } = context.options
  const { change, inputs } = factsOf(plain, payments.length)
  if (change === 0n || change >= SMALLEST_CHANGE || inputs >= entries.length) return plain
  const withChange = (amount: bigint): Promise<PlannedPayment | Obstacle> =>
    planOnce([...payments, { address, amount }], entries, context)
  const raised = await withChange(SMALLEST_CHANGE)
  if (raised.kind !== 'planned') return plain
  const { outputs, change: total, least } = factsOf(raised, payments.length)
  if (outputs === 1 || least >= SMALLEST_CHANGE) return raised
  const together = await withChange(total) // what was saved for a second output goes to the fee
  return together.kind === 'planned' && factsOf(together, payments.length).least >= SMALLEST_CHANGE ? together : plain
}

/** What returns to the queue after `payments` outputs. */
function factsOf({ transaction }: PlannedPayment, payments: number) {
  const { inputs, outputs } = builtOf(transaction).transaction
  const own = outputs.slice(payments).map(({ value }) => value)
  return {
    inputs: inputs.length,
    outputs: own.length,
    change: own.reduce((sum, amount) => sum + amount, 0n),
    least: own.reduce((least, amount) => (amount < least ? amount : least), own[0] ?? 0n),
  }
}

export interface FundsContext {
  readonly node: QueueNode
  readonly rows: WorkingRows
  readonly options: CheckedOptions
  readonly counters: QueueCounters
  readonly signal: AbortSignal
}

/** The UTXOs that a turn may spend. Rejects as calls to the node and the journal do. */
export async function readFunds({ node, rows, options, counters, signal }: FundsContext): Promise<Funds> {
  const { free, unconfirmed, counts } = await node.freeEntries(rows.session, signal)
  counters.utxos = counts
  const { groups, claims } = rows
  const change = groups
    .flatMap(({ attempts }) => attempts.slice(-1).flatMap(changeOf))
    .filter(({ outpoint }) => !claims.has(toOutpointKey(outpoint)))
  const chained = chainableChange(groups, claims, options.batch.chainDepth)
  const later = unconfirmed + sumOf(change) - sumOf(chained.map(({ entry }) => entry))
  return { free, chained, others: free.length + change.length, later }
}

const sumOf = (entries: readonly UtxoEntry[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n)
