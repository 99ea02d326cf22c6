import { hasDescendants } from '../streams/payouts/change-chains.js'
import type { PayoutGroup } from '../streams/payouts/journal.js'
import type { FundsContext } from './read-funds.js'
import type { ChainLogger } from '../platform/port.js'
import type { Funds } from './plan-batch.js'
import {
  dropBump,
  logObstacle,
  nextReplacement,
  signReplacement,
  storeReplacement,
  type Replacement,
} from './replacements.js'
import type { Submitter } from './submitter.js'

export interface ReplacerContext extends FundsContext {
  readonly submitter: Submitter
  readonly logger: ChainLogger
}

/** Replaces the transactions of groups that need it. One that fails is not tried again before `submitInterval`. */
export class Replacer {
  /** When the replacement of a group failed last, by the monotonic clock. */
  readonly #failedAt = new Map<string, number>()

  constructor(private readonly context: ReplacerContext) {}

  /** The groups that need a replacement, or may have one once their funds are read. */
  due(): readonly string[] {
    return this.context.rows.groups
      .filter((group) => isExcluded(group) || this.#next(group, []) !== undefined)
      .map(({ id }) => id)
  }

  /** Signs and stores the replacement of a group, if it needs one. Resolves to whether it has. */
  async replace(id: string, { free }: Funds): Promise<boolean> {
    const { rows, node, counters, logger, submitter } = this.context
    const group = rows.group(id)
    const replacement = group && this.#next(group, free)
    if (group === undefined || replacement === undefined) return false
    const attempt = await signReplacement(replacement, group, free, { ...this.context, journal: rows.session })
    if (!('signed' in attempt)) {
      logObstacle(logger, group, attempt)
      await this.#fail(group, replacement)
      return false
    }
    const stored = await rows.write(() => {
      const current = rows.group(id)
      const isSame = current?.version === group.version && current.attempts.length === group.attempts.length
      // otherwise it is decided again with the next turn
      return isSame && !rows.hasForeignDebit ? storeReplacement(attempt, current) : undefined
    })
    if (stored === undefined) return false
    node.signed(attempt)
    counters.signed(attempt.kind, attempt.fee)
    submitter.renew(id)
    return true
  }

  #next(group: PayoutGroup, free: Funds['free']): Replacement | undefined {
    const { options, submitter, rows } = this.context
    const failedAt = this.#failedAt.get(group.id) ?? -Infinity
    if (performance.now() - failedAt < options.submitInterval) return undefined
    const { bumpAfter, maxBumpRate } = options.fee
    const relayedFor = submitter.relayedFor(group)
    const replacement = nextReplacement(group, free, { relayedFor, bumpAfter, maxBumpRate })
    if (replacement === undefined || group.state !== 'open') return replacement
    return hasDescendants(group, rows.claims) ? undefined : replacement
  }

  async #fail({ id, bumpRate }: PayoutGroup, { kind }: Replacement): Promise<void> {
    const { rows } = this.context
    this.#failedAt.set(id, performance.now())
    if (bumpRate === null || kind !== 'bump') return
    await rows.write(() => {
      const current = rows.group(id)
      return current === undefined ? undefined : dropBump(current)
    })
  }
}

const isExcluded = ({ state, payouts }: PayoutGroup): boolean => state === 'excluded' && payouts.length > 0
