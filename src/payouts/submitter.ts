import type { ChainLogger } from '../platform/port.js'
import { parentsOf } from '../streams/payouts/change-chains.js'
import { updatePayout } from '../streams/payouts/group-changes.js'
import type { AttemptReply, JournalChange, PayoutAttempt, PayoutGroup } from '../streams/payouts/journal.js'
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
  /** The groups that a node has taken. */
  readonly #relayed = new Set<string>()
  /** Since when a block could take each group: a node has it, and the chain has what it spends. */
  readonly #minableAt = new Map<string, number>()
  readonly #inFlight = new Set<string>()
  /** Replies that are not stored yet: those that come during a write share the next one. */
  readonly #replies = new Map<string, readonly AttemptReply[]>()

  constructor(private readonly context: SubmitterContext) {}

  /** The ms for which a block could have taken a group; 0 before. A higher rate brings none before what it spends. */
  relayedFor({ id }: PayoutGroup): number {
    const since = this.#minableAt.get(id)
    return since === undefined ? 0 : performance.now() - since
  }

  /** A group with a new attempt is due at once, and waits again before it is replaced. */
  renew(id: string): void {
    this.#submittedAt.delete(id)
    this.#relayed.delete(id)
    this.#minableAt.delete(id)
  }

  /** Submits the groups that are due, some at the same time. Rejects with `SessionDropped`. */
  async submitDue(): Promise<void> {
    const { rows } = this.context
    for (const id of this.#submittedAt.keys()) if (rows.group(id) === undefined) this.renew(id)
    this.#noteMinable(rows.groups)
    const queue = rows.groups.filter((group) => this.#isDue(group)).values()
    const work = async (): Promise<void> => {
      for (const group of queue) await this.#submit(group)
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  }

  #noteMinable(groups: readonly PayoutGroup[]): void {
    for (const group of groups) {
      const { id } = group
      const isMinable = this.#relayed.has(id) && !isAccepted(group) && this.#parentsOf(group).every(isAccepted)
      if (!isMinable) this.#minableAt.delete(id)
      else if (!this.#minableAt.has(id)) this.#minableAt.set(id, performance.now())
    }
  }

  /** Whether this process has seen that a node, or the chain, has a group. */
  #isAtNode(group: PayoutGroup): boolean {
    return this.#relayed.has(group.id) || isAccepted(group)
  }

  #parentsOf(group: PayoutGroup): readonly PayoutGroup[] {
    return parentsOf(group, (transactionId) => this.context.rows.groupOf(transactionId))
  }

  #isDue(group: PayoutGroup): boolean {
    const { id, state } = group
    if (state !== 'open' || this.#inFlight.has(id) || isAccepted(group)) return false
    if (!this.#parentsOf(group).every((parent) => this.#isAtNode(parent))) return false // refused before what it spends
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
      counters.submitted('unknown', 'unverified')
      return { transactionId, outcome: 'unknown', lastResponse: String(error) } // whatever a node replied before
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
    const isNew = isRelayed && !this.#relayed.has(id)
    if (isRelayed) this.#relayed.add(id)
    this.#replies.set(id, replies)
    let written: ReadonlyMap<string, readonly AttemptReply[]> = new Map()
    await rows.write(() => {
      written = new Map(this.#replies)
      return toChange([...written].flatMap(([each, given]) => toReplied(rows.group(each), given)))
    })
    for (const [each, given] of written) if (this.#replies.get(each) === given) this.#replies.delete(each)
    if (isNew) this.context.onRelayed()
  }
}

/** What replies to the attempts of a group change. */
function toReplied(group: PayoutGroup | undefined, replies: readonly AttemptReply[]): readonly Replied[] {
  if (group === undefined) return []
  const submitted = replies.map(({ transactionId, outcome }) => ({
    type: 'submitted' as const,
    transactionId,
    outcome: outcome ?? 'unknown',
  }))
  return [
    {
      replies: replies.filter((reply) => hasChanged(group, reply)),
      payouts: group.payouts.flatMap((payout) => updatePayout(payout, submitted) ?? []),
    },
  ]
}

type Replied = Required<Pick<JournalChange, 'replies' | 'payouts'>>

function toChange(replied: readonly Replied[]): JournalChange | undefined {
  const [replies, payouts] = [replied.flatMap((each) => each.replies), replied.flatMap((each) => each.payouts)]
  return replies.length + payouts.length === 0 ? undefined : { replies, payouts }
}

const isAccepted = ({ attempts }: PayoutGroup): boolean =>
  attempts.some(({ acceptedBlueScore }) => acceptedBlueScore !== null)

const hasChanged = ({ attempts }: PayoutGroup, { transactionId, outcome, lastResponse }: AttemptReply): boolean =>
  attempts.some(
    (attempt) =>
      attempt.transactionId === transactionId && (attempt.outcome !== outcome || attempt.lastResponse !== lastResponse),
  )
