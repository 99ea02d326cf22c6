import { Subject, interval, merge, throttleTime } from 'rxjs'
import type { ChainEngine } from '../engine/engine.js'
import { onAbort } from '../loading/abortable.js'
import type { ChainLogger } from '../platform/port.js'
import type { JournalChange, JournalScope, JournalSession } from '../streams/payouts/journal.js'
import { followPayments, type FollowerContext } from './chain-follower.js'
import type { QueueCounters } from './metrics.js'
import { MissingInputs } from './missing-inputs.js'
import type { CheckedOptions } from './options.js'
import type { QueueNode } from './queue-node.js'
import { SigningTurns } from './signing-turns.js'
import type { QueueEvent } from './status.js'
import { Submitter } from './submitter.js'
import { WorkingRows } from './working-rows.js'
import { PayoutError } from '../errors/payout-error.js'

/** How often the queue looks for what is due, in ms. */
const TICK = 250
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
 * as `run` does. `follow`: how the chain is followed, until the signal aborts.
 */
export async function work(
  session: JournalSession,
  context: WorkContext,
  follow: (context: FollowerContext) => Promise<void> = followPayments,
): Promise<void> {
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
    await workOn(rows, { ...context, signal: controller.signal }, fail, follow)
  } catch (error) {
    fail(error)
  } finally {
    release()
    await session.close()
  }
  if (failure !== undefined) throw failure.error
}

/** Follows the chain; signs and submits beside it, in turns. */
async function workOn(
  rows: WorkingRows,
  context: WorkContext,
  fail: (error: unknown) => void,
  follow: (context: FollowerContext) => Promise<void>,
): Promise<void> {
  const { options, scope, emit, signal } = context
  const wake$ = new Subject<void>()
  const wake = (): void => wake$.next()
  const noteProblem = (): void => {
    const debit = rows.wallet.debits.find(({ isAcknowledged }) => !isAcknowledged)
    emit({ type: 'debits-read', problem: debit === undefined ? null : foreignDebit(debit.transactionId, debit.ids) })
  }
  const onRelayed = (): void => {
    if (options.batch.chainDepth === 0) return
    signing.retry()
    wake()
  }
  const submitter = new Submitter({ ...context, rows, onRelayed })
  const signing = new SigningTurns({ ...context, rows, submitter, onStored: wake, onDebits: noteProblem })
  const missing = new MissingInputs({ ...context, rows, submitter })
  const submissions = createRepeated(() => submitter.submitDue(), { signal, fail })
  const signatures = createRepeated(() => signing.sign(), { signal, fail })
  const looks = createRepeated(() => missing.look(), { signal, fail })
  const turn = (): void => {
    looks.request()
    submissions.request()
    signatures.request()
  }
  const turns = merge(wake$, options.journal.changes$(scope), interval(TICK))
    .pipe(throttleTime(THROTTLE, undefined, { leading: true, trailing: true }))
    .subscribe(turn)
  emit({ type: 'opened' })
  try {
    await follow({
      ...context,
      rows,
      onBehind: () => {
        signing.pause()
        missing.pause()
      },
      onStep: ({ change, settled, blueScore, isLive, isRollback }) => {
        signing.follow(blueScore, isLive)
        missing.follow({ blueScore, isLive, isRollback })
        if ((change?.groups ?? []).length > 0) signing.retry() // its change is free
        noteChange(change, settled, context)
        noteProblem()
        emit({ type: 'followed', blueScore, isLive })
        turn()
      },
    })
  } finally {
    turns.unsubscribe()
    await Promise.all([submissions.idle(), signatures.idle(), looks.idle()])
  }
}

function noteChange(
  change: JournalChange | undefined,
  settled: readonly number[],
  { counters, logger }: Pick<WorkContext, 'counters' | 'logger'>,
): void {
  for (const { id, events } of change?.payouts ?? [])
    if (events.some(({ type }) => type === 'unsettled')) {
      counters.unsettled++
      logger.error('A reorg has undone a settled payout', { id })
    }
  for (const requestedAt of settled) counters.settled(Math.max(0, Date.now() - requestedAt) / 1_000)
}

/** The error of a payment that no attempt of the journal has made. */
export const foreignDebit = (transactionId: string, ids: readonly string[]): PayoutError =>
  new PayoutError(`The transaction ${transactionId} spends from the addresses and is no payment of this journal`, {
    code: 'foreign-debit',
    transactionId,
    ids,
    hint: 'Another program has the key, or the journal was restored from a backup. Nothing is signed until acknowledge(transactionId).',
  })

/** Work that runs once at a time, and once more where it was requested meanwhile. */
interface Repeated {
  request(): void
  /** Resolves once it does not run. Never rejects. */
  idle(): Promise<void>
}

/** `fail` has the error of a run, after which the next request runs again. */
function createRepeated(
  run: () => Promise<void>,
  { signal, fail }: { readonly signal: AbortSignal; readonly fail: (error: unknown) => void },
): Repeated {
  let isDue = false
  let running: Promise<void> | undefined
  const runWhileDue = async (): Promise<void> => {
    while (isDue && !signal.aborted) {
      isDue = false
      await run()
    }
  }
  return {
    request() {
      isDue = true
      running ??= runWhileDue()
        .catch(fail)
        .finally(() => (running = undefined))
    },
    idle: async () => running,
  }
}
