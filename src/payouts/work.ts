import { Subject, interval, merge, throttleTime } from 'rxjs'
import type { ChainEngine } from '../engine/engine.js'
import { PayoutError } from '../errors/payout-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import { onAbort } from '../loading/abortable.js'
import { toOutpointKey, type UtxoEntry } from '../model/utxo.js'
import type { ChainLogger } from '../platform/port.js'
import type { JournalChange, JournalScope, JournalSession, PayoutGroup } from '../streams/payouts/journal.js'
import { chainableChange, changeOf, hasDescendants } from '../streams/payouts/change-chains.js'
import { BatchSigner, LOOKAHEAD } from './batch-signer.js'
import { followPayments, readMempool } from './chain-follower.js'
import type { QueueCounters } from './metrics.js'
import type { CheckedOptions } from './options.js'
import type { Funds } from './plan-batch.js'
import type { QueueNode } from './queue-node.js'
import { dropBump, logObstacle, nextReplacement, signReplacement, storeReplacement } from './replacements.js'
import type { QueueEvent } from './status.js'
import { Submitter } from './submitter.js'
import { WorkingRows } from './working-rows.js'

/** How often the queue looks for what is due, in ms. */
const TICK = 250
/** How long payouts that wait are not planned again, in ms, unless the chain has changed their group. */
const RETRY = 1_000
/** Changes of rows come in groups: a turn follows the first one, and one the last, this many ms apart at least. */
const THROTTLE = 20

export interface WorkContext {
  readonly engine: ChainEngine
  readonly node: QueueNode
  readonly options: CheckedOptions
  readonly scope: JournalScope
  readonly counters: QueueCounters
  readonly logger: ChainLogger
  readonly emit: (event: QueueEvent) => void
  readonly signal: AbortSignal
}

/**
 * Works in one session of the journal, until the signal aborts. Closes the session. Rejects with `SessionDropped`, and
 * as `run` does.
 */
export async function work(session: JournalSession, context: WorkContext): Promise<void> {
  const controller = new AbortController() // ends the iteration, also where the journal fails
  const end = (): void => controller.abort(context.signal.reason)
  const release = onAbort(context.signal, end)
  let failure: { readonly error: unknown } | undefined
  const fail = (error: unknown): void => {
    if (!controller.signal.aborted) failure ??= { error }
    controller.abort(error)
  }
  session.dropped.catch(fail)
  try {
    const rows = new WorkingRows(session)
    await rows.load()
    await new Work(rows, { ...context, signal: controller.signal }, fail).run()
  } catch (error) {
    fail(error)
  } finally {
    release()
    await session.close()
  }
  if (failure !== undefined) throw failure.error
}

class Work {
  readonly #wake$ = new Subject<void>()
  readonly #signer: BatchSigner
  readonly #submitter: Submitter
  #isLive = false
  #isMempoolRead = false
  /** Since when payouts wait for others that share their transaction, by the monotonic clock. */
  #waitingSince: number | undefined
  /** When payouts that wait are planned again, by the monotonic clock. */
  #retryAt = 0
  #signing: Promise<void> | undefined
  #submitting: Promise<void> | undefined
  #isSigningDue = false
  /** When requests of callers were read last, by the monotonic clock. */
  #refreshedAt = -Infinity
  #isSubmittingDue = false
  /** When the replacement of a group failed last, by the monotonic clock. */
  readonly #failedAt = new Map<string, number>()

  constructor(
    private readonly rows: WorkingRows,
    private readonly context: WorkContext,
    private readonly fail: (error: unknown) => void,
  ) {
    this.#signer = new BatchSigner({ ...context, rows })
    this.#submitter = new Submitter({ ...context, rows, onRelayed: () => this.#onRelayed() })
  }

  /** Follows the chain; signs and submits beside it. */
  async run(): Promise<void> {
    const { options, scope, emit } = this.context
    emit({ type: 'opened' })
    const turns = merge(this.#wake$, options.journal.changes$(scope), interval(TICK))
      .pipe(throttleTime(THROTTLE, undefined, { leading: true, trailing: true }))
      .subscribe(() => this.#turn())
    try {
      await followPayments({
        ...this.context,
        rows: this.rows,
        onBehind: () => (this.#isLive = false),
        onStep: ({ change, settled, blueScore, isLive }) => {
          this.#isLive = isLive
          if ((change?.groups ?? []).length > 0) this.#retryAt = 0 // its change is free
          this.#noteChange(change, settled)
          emit({ type: 'followed', blueScore, isLive })
          this.#turn()
        },
      })
    } finally {
      turns.unsubscribe()
      await Promise.allSettled([this.#signing, this.#submitting])
    }
  }

  #noteChange(change: JournalChange | undefined, settled: readonly number[]): void {
    const { counters, logger } = this.context
    for (const { id, events } of change?.payouts ?? [])
      if (events.some(({ type }) => type === 'unsettled')) {
        counters.unsettled++
        logger.error('A reorg has undone a settled payout', { id })
      }
    for (const requestedAt of settled) counters.settled(Math.max(0, Date.now() - requestedAt) / 1_000)
    this.#noteProblem()
  }

  #noteProblem(): void {
    const [debit] = this.rows.wallet.debits.filter(({ isAcknowledged }) => !isAcknowledged)
    const problem = debit === undefined ? null : foreignDebit(debit.transactionId, debit.ids)
    this.context.emit({ type: 'debits-read', problem })
  }

  #onRelayed(): void {
    if (this.context.options.batch.chainDepth === 0) return
    this.#retryAt = 0
    this.#wake$.next()
  }

  /** Submits and signs side by side; what is requested meanwhile follows. */
  #turn(): void {
    const { signal } = this.context
    if (signal.aborted) return
    this.#isSubmittingDue = true
    this.#submitting ??= this.#submitWhileDue()
      .catch(this.fail)
      .finally(() => (this.#submitting = undefined))
    this.#isSigningDue = true
    this.#signing ??= this.#signWhileDue()
      .catch((error: unknown) => {
        if (!signal.aborted) this.fail(error)
      })
      .finally(() => (this.#signing = undefined))
  }

  async #submitWhileDue(): Promise<void> {
    while (this.#isSubmittingDue && !this.context.signal.aborted) {
      this.#isSubmittingDue = false
      await this.#submitter.submitDue()
    }
  }

  async #signWhileDue(): Promise<void> {
    while (this.#isSigningDue && !this.context.signal.aborted) {
      this.#isSigningDue = false
      await this.#sign()
    }
  }

  async #sign(): Promise<void> {
    const { rows } = this
    const isRetryDue = performance.now() >= this.#retryAt
    if (!isRetryDue && performance.now() - this.#refreshedAt < TICK) return // each own write brings a turn
    this.#refreshedAt = performance.now()
    await rows.refresh()
    this.#noteProblem() // a caller may have acknowledged a debit
    if (!(await this.#maySign())) return
    const { maxOutputs } = this.context.options.batch
    const queue = isRetryDue ? await rows.session.due(LOOKAHEAD * maxOutputs) : []
    const isBatchDue =
      isRetryDue && this.#isBatchDue(queue.length > 0 && this.#signer.next(queue).isFull, queue.length > 0)
    const replacing = rows.groups.filter((group) => this.#nextReplacement(group, []) !== undefined)
    const excluded = rows.groups.filter(({ state, payouts }) => state === 'excluded' && payouts.length > 0)
    if (!isBatchDue && replacing.length + excluded.length === 0) return
    let funds = await this.#readFunds()
    if (funds === undefined) return
    for (const { id } of [...replacing, ...excluded]) await this.#replace(id, funds)
    if (!isBatchDue) return
    let left = queue
    while (left.length > 0 && !this.context.signal.aborted) {
      const result = await this.#signer.sign(left, funds)
      if (result.kind === 'waiting') {
        this.#retryAt = performance.now() + RETRY
        return
      }
      funds = result.funds
      this.#turnSubmission()
      const paid = new Set(result.attempt.pays)
      if (paid.size === 0) return // it has joined UTXOs: the payouts wait for them
      left = left.filter(({ id }) => !paid.has(id))
    }
    this.#waitingSince = undefined
  }

  /** Nothing is signed before the chain and the mempool were read, or where somebody else pays from the addresses. */
  async #maySign(): Promise<boolean> {
    const { node, signal } = this.context
    if (!this.#isLive || this.rows.wallet.isOnHold) return false
    if (!this.#isMempoolRead) {
      try {
        await readMempool({ node, rows: this.rows, signal })
      } catch (error) {
        return this.#tolerate(error)
      }
      this.#isMempoolRead = true
      this.#noteProblem()
    }
    return this.rows.wallet.debits.every(({ isAcknowledged }) => isAcknowledged)
  }

  /** A call to the node that fails is made again with the next turn. */
  #tolerate(error: unknown): false {
    if (this.context.signal.aborted || !isNodeFailure(error)) throw error
    this.context.logger.warn('The node did not reply', { error })
    return false
  }

  #isBatchDue(isFull: boolean, hasPayouts: boolean): boolean {
    if (!hasPayouts) {
      this.#waitingSince = undefined
      return false
    }
    this.#waitingSince ??= performance.now()
    return isFull || performance.now() - this.#waitingSince >= this.context.options.batch.maxWait
  }

  async #readFunds(): Promise<Funds | undefined> {
    const { node, signal } = this.context
    try {
      const { free, unconfirmed, counts } = await node.freeEntries(this.rows.session, signal)
      this.context.counters.utxos = counts
      const { groups, claims } = this.rows
      const change = groups
        .flatMap(({ attempts }) => attempts.slice(-1).flatMap(changeOf))
        .filter(({ outpoint }) => !claims.has(toOutpointKey(outpoint)))
      const chained = chainableChange(groups, claims, this.context.options.batch.chainDepth)
      const later = unconfirmed + sumOf(change) - sumOf(chained.map(({ entry }) => entry))
      return { free, chained, others: free.length + change.length, later }
    } catch (error) {
      this.#tolerate(error)
      return undefined
    }
  }

  #nextReplacement(group: PayoutGroup, free: Funds['free']) {
    const { bumpAfter, maxBumpRate } = this.context.options.fee
    const failedAt = this.#failedAt.get(group.id) ?? -Infinity
    if (performance.now() - failedAt < this.context.options.submitInterval) return undefined
    const relayedFor = this.#submitter.relayedFor(group)
    const replacement = nextReplacement(group, free, { relayedFor, bumpAfter, maxBumpRate })
    if (replacement === undefined || group.state !== 'open') return replacement
    return hasDescendants(group, this.rows.claims) ? undefined : replacement
  }

  async #replace(id: string, { free }: Funds): Promise<void> {
    const { context, rows } = this
    const group = rows.group(id)
    const replacement = group && this.#nextReplacement(group, free)
    if (group === undefined || replacement === undefined) return
    const attempt = await signReplacement(replacement, group, free, { ...context, journal: rows.session })
    if (!('signed' in attempt)) {
      logObstacle(context.logger, group, attempt)
      this.#failedAt.set(id, performance.now())
      if (group.bumpRate !== null && replacement.kind === 'bump')
        await rows.write(() => {
          const current = rows.group(id)
          return current === undefined ? undefined : dropBump(current)
        })
      return
    }
    const stored = await rows.write(() => {
      const current = rows.group(id)
      return current?.version === group.version && current.attempts.length === group.attempts.length
        ? storeReplacement(attempt, current)
        : undefined // decided again with the next turn
    })
    if (stored === undefined) return
    context.node.signed(attempt)
    context.counters.signed(attempt.kind, attempt.fee)
    this.#submitter.renew(id)
    this.#turnSubmission()
  }

  #turnSubmission(): void {
    this.#wake$.next()
  }
}

const sumOf = (entries: readonly UtxoEntry[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n)

const isNodeFailure = (error: unknown): boolean => error instanceof ChainRpcError

/** The error of a payment that no attempt of the journal has made. */
export const foreignDebit = (transactionId: string, ids: readonly string[]): PayoutError =>
  new PayoutError(`The transaction ${transactionId} spends from the addresses and is no payment of this journal`, {
    code: 'foreign-debit',
    transactionId,
    ids,
    hint: 'Another program has the key, or the journal was restored from a backup. Nothing is signed until acknowledge(transactionId).',
  })
