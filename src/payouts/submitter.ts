import type { ChainLogger } from '../platform/port.js'
import { parentsOf } from '../streams/payouts/change-chains.js'
import { updatePayout } from '../streams/payouts/group-changes.js'
import type { AttemptReply, PayoutAttempt, PayoutGroup } from '../streams/payouts/journal.js'
import type { CheckedOptions } from './options.js'
import type { QueueCounters } from './metrics.js'
import type { QueueNode } from './queue-node.js'
import type { WorkingRows } from './working-rows.js'

/** Groups that are submitted at the same time. */
const CONCURRENCY = 16

export interface SubmitterContext {
  readonly node: QueueNode
  readonly rows: WorkingRows
  readonly options: CheckedOptions
  readonly counters: QueueCounters
  readonly logger: ChainLogger
  readonly signal: AbortSignal
  /** Called once a node has a group that it did not have before: its change can be spent where chains are allowed. */
  readonly onRelayed: () => void
}

/** Brings signed groups to the node, again and again until the chain has them. No reply of a node ends that. */
export class Submitter {
  /** When each group was submitted last, by the monotonic clock. */
  readonly #submittedAt = new Map<string, number>()
  /** When a node took each group first. */
  readonly #relayedAt = new Map<string, number>()
  readonly #inFlight = new Set<string>()

  constructor(private readonly context: SubmitterContext) {}

  /** The ms for which a node has had a group that the chain does not have; 0 before. */
  relayedFor(id: string): number {
    const since = this.#relayedAt.get(id)
    return since === undefined ? 0 : performance.now() - since
  }

  /** A group with a new attempt is due at once, and waits again before it is replaced. */
  renew(id: string): void {
    this.#submittedAt.delete(id)
    this.#relayedAt.delete(id)
  }

  /** Submits the groups that are due, some at the same time. Rejects with `SessionDropped`. */
  async submitDue(): Promise<void> {
    const groups = this.context.rows.groups.filter((group) => this.#isDue(group))
    for (const id of this.#submittedAt.keys()) if (this.context.rows.group(id) === undefined) this.renew(id)
    const queue = groups.values()
    const work = async (): Promise<void> => {
      for (const group of queue) await this.#submit(group)
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  }

  /** Whether this process has seen that a node, or the chain, has a group. */
  #isAtNode({ id, attempts }: PayoutGroup): boolean {
    return this.#relayedAt.has(id) || attempts.some(({ acceptedBlueScore }) => acceptedBlueScore !== null)
  }

  #isDue(group: PayoutGroup): boolean {
    const { id, state, attempts } = group
    if (state !== 'open' || this.#inFlight.has(id)) return false
    if (attempts.some(({ acceptedBlueScore }) => acceptedBlueScore !== null)) return false
    if (
      parentsOf(group, (transactionId) => this.context.rows.groupOf(transactionId)).some(
        (each) => !this.#isAtNode(each),
      )
    )
      return false // a node refuses it before what it spends
    const last = this.#submittedAt.get(id)
    return last === undefined || performance.now() - last >= this.context.options.submitInterval
  }

  async #submit(group: PayoutGroup): Promise<void> {
    this.#inFlight.add(group.id)
    this.#submittedAt.set(group.id, performance.now())
    try {
      const replies = await this.#submitNewest(group)
      if (replies.length > 0 && !this.context.signal.aborted) await this.#store(group.id, replies)
    } finally {
      this.#inFlight.delete(group.id)
    }
  }

  /** The newest attempt that the node takes: an older one may be what the network has. */
  async #submitNewest(group: PayoutGroup): Promise<readonly AttemptReply[]> {
    const replies: AttemptReply[] = []
    for (const attempt of [...group.attempts].reverse()) {
      if (this.context.signal.aborted) break
      const reply = await this.#submitAttempt(attempt, group)
      if (reply === undefined) break // not connected
      replies.push(reply)
      if (reply.outcome === 'relayed') break
    }
    return replies
  }

  async #submitAttempt(attempt: PayoutAttempt, group: PayoutGroup): Promise<AttemptReply | undefined> {
    const { node, counters, logger } = this.context
    const { transactionId } = attempt
    try {
      await node.verify(attempt, group)
    } catch (error) {
      logger.error('A stored payment was not submitted', { transactionId, error })
      return { transactionId, outcome: attempt.outcome, lastResponse: String(error) }
    }
    const submitted = await node.submit(attempt)
    if (submitted === undefined) return undefined
    const { reply, reason } = submitted
    counters.submitted(reply.outcome ?? 'unknown', reason)
    if (reply.outcome === 'unknown')
      logger.warn('A node did not take a payment', { transactionId, response: reply.lastResponse })
    return reply
  }

  async #store(id: string, replies: readonly AttemptReply[]): Promise<void> {
    const { rows } = this.context
    const isRelayed = replies.some(({ outcome }) => outcome === 'relayed')
    const isNew = isRelayed && !this.#relayedAt.has(id)
    if (isNew) this.#relayedAt.set(id, performance.now())
    await rows.write(() => {
      const group = rows.group(id)
      if (group === undefined) return undefined
      const changed = replies.filter((reply) => hasChanged(group, reply))
      const submitted = replies.map(({ transactionId, outcome }) => ({
        type: 'submitted' as const,
        transactionId,
        outcome: outcome ?? 'unknown',
      }))
      const payouts = group.payouts.flatMap((payout) => updatePayout(payout, submitted) ?? [])
      return changed.length + payouts.length === 0 ? undefined : { replies: changed, payouts }
    })
    if (isNew) this.context.onRelayed()
  }
}

const hasChanged = ({ attempts }: PayoutGroup, { transactionId, outcome, lastResponse }: AttemptReply): boolean =>
  attempts.some(
    (attempt) =>
      attempt.transactionId === transactionId && (attempt.outcome !== outcome || attempt.lastResponse !== lastResponse),
  )
