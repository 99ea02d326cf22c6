import { SOMPI_PER_KASPA } from '../model/amount.js'
import { toOutpointKey } from '../model/utxo.js'
import { relayViolation } from '../model/transaction-rules/relay.js'
import { toTransaction } from '../model/serialized-transaction.js'
import { nextBatch } from '../operations/payouts/payout-batch.js'
import type { ChainLogger } from '../platform/port.js'
import { changeOf } from '../streams/payouts/change-chains.js'
import { outpointsOf, updatePayout } from '../streams/payouts/group-changes.js'
import type { JournalChange, PayoutAttempt, PayoutRecord, PayoutUpdate } from '../streams/payouts/journal.js'
import type { WaitingReason } from '../streams/payouts/progress.js'
import type { QueueCounters } from './metrics.js'
import { planBatch, type Funds } from './plan-batch.js'
import {
  planOnce,
  signPlan,
  withoutSpent,
  type Obstacle,
  type PlanContext,
  type PlannedPayment,
} from './plan-payment.js'
import type { WorkingRows } from './working-rows.js'

/** Inputs of one transaction that joins UTXOs, at most. */
const JOINED = 80

/** Payouts that are read at a time, in batches. */
export const LOOKAHEAD = 10

export interface BatchContext extends PlanContext {
  readonly rows: WorkingRows
  readonly counters: QueueCounters
  readonly logger: ChainLogger
}

/** What became of a batch. `done` payouts are no longer in the queue. */
export type BatchResult =
  | { readonly kind: 'stored'; readonly attempt: PayoutAttempt; readonly funds: Funds }
  | { readonly kind: 'waiting' }

/** Signs batches of the queue. Keeps how often a payout was left out for those behind it. */
export class BatchSigner {
  #skips: ReadonlyMap<string, number> = new Map()

  constructor(private readonly context: BatchContext) {}

  /** The payouts that may be signed; that the others wait is stored. */
  async payable(queue: readonly PayoutRecord[]): Promise<readonly PayoutRecord[]> {
    const { node } = this.context
    const obstacles = new Map(
      queue.flatMap((payout) => {
        const reason = node.obstacleOf(payout)
        return reason === undefined ? [] : [[payout.id, reason] as const]
      }),
    )
    if (obstacles.size === 0) return queue
    for (const reason of new Set(obstacles.values())) {
      const waiting = queue.filter(({ id }) => obstacles.get(id) === reason)
      await this.#noteWaiting(waiting, { reason, missing: null })
    }
    return queue.filter(({ id }) => !obstacles.has(id))
  }

  /** The payouts of the next transaction, and whether it is full. */
  next(queue: readonly PayoutRecord[]): { readonly items: readonly PayoutRecord[]; readonly isFull: boolean } {
    const { maxOutputs } = this.context.options.batch
    const { items } = nextBatch(queue, this.context.options.batch, this.#skips)
    return { items, isFull: items.length >= maxOutputs || items.length < queue.length }
  }

  /**
   * Signs and stores one transaction for the oldest payouts that the funds cover. Nothing is sent. `notesWaiting`:
   * whether it is stored that payouts wait.
   */
  async sign(queue: readonly PayoutRecord[], funds: Funds, notesWaiting: boolean): Promise<BatchResult> {
    const result = await this.#sign(queue, funds)
    if (result.kind === 'stored') return result
    if (notesWaiting && result.reason !== undefined) await this.#noteWaiting(queue, result.reason)
    return { kind: 'waiting' }
  }

  async #sign(queue: readonly PayoutRecord[], funds: Funds): Promise<Signed> {
    const { items, skips } = nextBatch(queue, this.context.options.batch, this.#skips)
    const planned = await this.#planCovered(items, funds)
    if (planned.kind === 'inputs') return this.#join(funds)
    if (planned.kind === 'too-heavy') return { kind: 'waiting', reason: { reason: 'funds', missing: null } }
    if (planned.kind === 'waiting') return { kind: 'waiting', reason: toReason(planned, funds) }
    this.#skips = skips
    return this.#store(planned.plan, planned.items, funds)
  }

  /** Plans as many of the oldest payouts as the funds cover. */
  async #planCovered(
    items: readonly PayoutRecord[],
    funds: Funds,
  ): Promise<
    Obstacle | { readonly kind: 'covered'; readonly plan: PlannedPayment; readonly items: readonly PayoutRecord[] }
  > {
    const plan = await planBatch(items, funds, this.context)
    if (plan.kind === 'planned') return { kind: 'covered', plan, items }
    if (items.length === 1) return plan
    if (plan.kind === 'too-heavy') return this.#planCovered(half(items), funds)
    if (plan.kind === 'waiting' && plan.reason === 'funds')
      return this.#planCovered(covered(items, plan.missing ?? 1n), funds)
    return plan
  }

  async #store(plan: PlannedPayment, items: readonly PayoutRecord[], funds: Funds): Promise<Signed> {
    const { rows, counters, node, logger } = this.context
    const attempt = await signPlan(plan, { pays: items.map(({ id }) => id), kind: 'pay', number: 0 }, this.context)
    if (!('signed' in attempt)) return { kind: 'waiting', reason: attempt.kind === 'waiting' ? attempt : undefined }
    const violation = violationOf(attempt)
    if (violation !== undefined) {
      logger.error('A payment was not stored, because every node would refuse it', { violation })
      return { kind: 'waiting' }
    }
    const { transactionId } = attempt
    const change: JournalChange = {
      newAttempt: { group: transactionId, attempt, claims: outpointsOf(attempt) },
      payouts: items.flatMap(
        (payout) => updatePayout({ ...payout, group: transactionId }, [{ type: 'stored', transactionId }]) ?? [],
      ),
    }
    const stored = await rows.write(() => (rows.hasForeignDebit ? undefined : change), items)
    if (stored === undefined) return { kind: 'waiting' } // another instance, or a cancellation, was faster: read again
    node.signed(attempt)
    counters.signed('pay', attempt.fee)
    return { kind: 'stored', attempt, funds: spend(funds, attempt) }
  }

  /** A payment of too many inputs: joins the largest UTXOs first, in a group without payouts. */
  async #join(funds: Funds): Promise<Signed> {
    const most = Math.min(JOINED, this.context.options.signer?.limits?.maxInputs ?? JOINED)
    const largest = [...funds.free].sort((a, b) => (a.amount > b.amount ? -1 : 1)).slice(0, most)
    const plan = await planOnce([], largest, this.context)
    return plan.kind === 'planned' ? this.#store(plan, [], funds) : { kind: 'waiting' }
  }

  async #noteWaiting(queue: readonly PayoutRecord[], { reason, missing, error }: Waiting): Promise<void> {
    const { rows, logger } = this.context
    const updates = queue.flatMap((payout, at): readonly PayoutUpdate[] => {
      const update = updatePayout(payout, [{ type: 'waiting', reason, missing: at === 0 ? missing : null }])
      return update === undefined ? [] : [update]
    })
    if (updates.length === 0) return
    if (reason === 'signer' || reason === 'recipient')
      logger.warn('Payouts cannot be signed', { reason, ids: queue.slice(0, MAX_NAMED).map(({ id }) => id), error })
    await rows.write(() => ({ payouts: updates }), queue)
  }
}

/** Why payouts wait, and the sompi that are missing. */
interface Waiting {
  readonly reason: WaitingReason
  readonly missing: bigint | null
  readonly error?: unknown
}

/** Payouts that a line of the log names, at most. */
const MAX_NAMED = 100

/** What became of a batch; `reason` where it is one of its payouts. */
type Signed =
  | Extract<BatchResult, { readonly kind: 'stored' }>
  | { readonly kind: 'waiting'; readonly reason?: Waiting | undefined }

/** What will be free later covers what is missing, or it does not. */
function toReason({ reason, missing, error }: Extract<Obstacle, { kind: 'waiting' }>, { later }: Funds): Waiting {
  if (reason !== 'funds') return { reason, missing, error }
  return { reason: missing !== null && missing > 0n && later >= missing ? 'own-change' : 'funds', missing }
}

/** Sompi beyond the amounts that a plan may need for fee and change. */
const MARGIN = SOMPI_PER_KASPA / 100n

/** The oldest items without those that are worth what is missing: at least one, and not all. */
export function covered<Item extends { readonly amount: bigint }>(
  items: readonly Item[],
  missing: bigint,
): readonly Item[] {
  let left = missing + MARGIN
  let count = items.length - 1
  left -= items[count]?.amount ?? 0n
  while (count > 1 && left > 0n) left -= items[--count]?.amount ?? 0n
  return items.slice(0, Math.max(1, count))
}

const half = <Item>(items: readonly Item[]): readonly Item[] => items.slice(0, Math.ceil(items.length / 2))

function spend({ free, chained, others, later }: Funds, attempt: PayoutAttempt): Funds {
  const change = changeOf(attempt)
  const spent = new Set(outpointsOf(attempt))
  return {
    free: withoutSpent(free, attempt),
    chained: chained.filter(({ entry }) => !spent.has(toOutpointKey(entry.outpoint))),
    others: others - attempt.signed.inputs.length + change.length,
    later: change.reduce((sum, { amount }) => sum + amount, later),
  }
}

/** Why every node would refuse an attempt: found before it is stored. */
function violationOf({ transactionId, signed }: PayoutAttempt): string | undefined {
  const spent = (signed.restore?.spent ?? []).map(({ amount, scriptPublicKey }) => ({
    amount: BigInt(amount),
    scriptPublicKey,
  }))
  return relayViolation({ id: transactionId, transaction: toTransaction(signed), spent })
}
