import { ChainRpcError } from '../errors/rpc-error.js'
import type { ChainLogger } from '../platform/port.js'
import type { PayoutRecord, PayoutGroup } from '../streams/payouts/journal.js'
import { BatchSigner, LOOKAHEAD } from './batch-signer.js'
import { readMempool } from './chain-follower.js'
import { type Funds, readFunds, type FundsContext } from './plan-batch.js'
import type { Submitter } from './submitter.js'
import { hasDescendants } from '../streams/payouts/change-chains.js'
import {
  dropBump,
  logObstacle,
  nextReplacement,
  signReplacement,
  storeReplacement,
  type Replacement,
} from './replacements.js'

/** How long payouts that wait are not planned again, in ms, unless the chain has changed their group. */
const RETRY = 1_000
/** How long requests of callers are not read again while payouts wait, in ms: each own write brings a turn. */
const REFRESH = 250

interface SigningContext extends FundsContext {
  readonly submitter: Submitter
  readonly logger: ChainLogger
  /** Called after each transaction that is stored. */
  readonly onStored: () => void
  /** Called once the debits of the addresses were read. */
  readonly onDebits: () => void
}

/** Signs what is due, turn by turn: replacements, then batches of the queue. */
export class SigningTurns {
  /** The position, in blue score, where that is the end of the chain; undefined otherwise. */
  #live: bigint | undefined
  /** The sink of the node when the mempool was read: what had left the mempool then is on the chain up to there. */
  #signsFrom: bigint | undefined
  /** Since when payouts wait for others that share their transaction, by the monotonic clock. */
  #waitingSince: number | undefined
  /** When payouts that wait are planned again, by the monotonic clock. */
  #retryAt = 0
  /** When requests of callers were read last, by the monotonic clock. */
  #refreshedAt = -Infinity
  readonly #signer: BatchSigner
  readonly #replacer: Replacer

  constructor(private readonly context: SigningContext) {
    this.#signer = new BatchSigner(context)
    this.#replacer = new Replacer(context)
  }

  /** Payouts that wait are planned with the next turn. */
  retry(): void {
    this.#retryAt = 0
  }

  /** The chain was read up to a blue score; `isLive`: that is its end. */
  follow(blueScore: bigint, isLive: boolean): void {
    this.#live = isLive ? blueScore : undefined
  }

  /** Nothing is signed until the chain goes on. */
  pause(): void {
    this.#live = undefined
  }

  async sign(): Promise<void> {
    const { rows, options } = this.context
    if (this.#live === undefined) return
    const isRetryDue = performance.now() >= this.#retryAt
    if (!isRetryDue && performance.now() - this.#refreshedAt < REFRESH) return
    await this.#refresh()
    if (!(await this.#maySign())) return
    const due = isRetryDue ? await rows.session.due(LOOKAHEAD * options.batch.maxOutputs) : []
    const queue = await this.#signer.payable(due)
    const isBatchDue = isRetryDue && this.#isBatchDue(queue)
    const replaced = this.#replacer.due()
    if (!isBatchDue && replaced.length === 0) return
    const funds = await this.#tolerate(() => readFunds(this.context))
    if (funds === undefined) return
    for (const id of replaced) {
      if (!(await this.#maySignNext())) return
      if (await this.#replacer.replace(id, funds)) this.context.onStored()
    }
    if (isBatchDue) await this.#signBatches(queue, funds)
  }

  async #signBatches(queue: readonly PayoutRecord[], first: Funds): Promise<void> {
    let [left, funds] = [queue, first]
    while (left.length > 0 && !this.context.signal.aborted) {
      if (!(await this.#maySignNext())) return
      // what is left after a transaction waits for the next change mostly: stored only where it still waits after that
      const result = await this.#signer.sign(left, funds, left === queue)
      if (result.kind === 'waiting') {
        this.#retryAt = performance.now() + RETRY
        return
      }
      funds = result.funds
      this.context.onStored()
      const paid = new Set(result.attempt.pays)
      if (paid.size === 0) return // it has joined UTXOs: the payouts wait for them
      left = left.filter(({ id }) => !paid.has(id))
    }
    this.#waitingSince = undefined
  }

  async #refresh(): Promise<void> {
    this.#refreshedAt = performance.now()
    await this.context.rows.refresh()
    this.context.onDebits() // a caller may have acknowledged one
  }

  /** The same within a turn: a signer may take minutes, in which a caller, or the chain, stops it. */
  async #maySignNext(): Promise<boolean> {
    if (performance.now() - this.#refreshedAt >= REFRESH) await this.#refresh()
    return this.#maySign()
  }

  /** Nothing is signed before the chain and the mempool were read, or where somebody else pays from the addresses. */
  async #maySign(): Promise<boolean> {
    const { rows, node, signal, onDebits } = this.context
    if (rows.wallet.isOnHold) return false
    if (this.#signsFrom === undefined) {
      this.#signsFrom = await this.#tolerate(async () => {
        await readMempool(this.context)
        return node.sinkBlueScore(signal)
      })
      if (this.#signsFrom === undefined) return false
      onDebits()
    }
    if (this.#live === undefined || this.#live < this.#signsFrom) return false
    return !rows.hasForeignDebit
  }

  /** A call to the node that fails is made again with the next turn: undefined. */
  async #tolerate<T>(call: () => Promise<T>): Promise<T | undefined> {
    const { signal, logger } = this.context
    try {
      return await call()
    } catch (error) {
      if (signal.aborted || !(error instanceof ChainRpcError)) throw error
      logger.warn('The node did not reply', { error })
      return undefined
    }
  }

  /** Whether a transaction is full, or its oldest payout has waited long enough for others. */
  #isBatchDue(queue: readonly PayoutRecord[]): boolean {
    if (queue.length === 0) {
      this.#waitingSince = undefined
      return false
    }
    this.#waitingSince ??= performance.now()
    const waited = performance.now() - this.#waitingSince
    return this.#signer.next(queue).isFull || waited >= this.context.options.batch.maxWait
  }
}

interface ReplacerContext extends FundsContext {
  readonly submitter: Submitter
  readonly logger: ChainLogger
}

/** Replaces the transactions of groups that need it. One that fails is not tried again before `submitInterval`. */
class Replacer {
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
