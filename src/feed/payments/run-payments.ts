import { BehaviorSubject, filter, firstValueFrom, interval, merge, Subject, type Observable } from 'rxjs'
import { SessionDropped } from '../../errors/payout-error.js'
import { abort$, sleep } from '../../loading/abortable.js'
import type { ChainLogger } from '../../platform/port.js'
import type { SqlSession } from '../../sql/session.js'
import { keepRunning } from '../keep-running.js'
import type { PaymentDatabase } from './database.js'
import { evaluateDue, type EvaluatorContext } from './evaluator.js'
import type { PaymentCounters } from './metrics.js'
import { MempoolPoller, type MempoolEngine } from './poll-mempool.js'
import type { PaymentTables } from './request-rows.js'
import { paymentChannel } from './schema.js'
import { deliverDue } from './webhooks/deliver.js'
import type { CheckedWebhook } from './webhooks/options.js'

export interface RunContext {
  readonly database: PaymentDatabase
  readonly tables: PaymentTables
  readonly engine: MempoolEngine
  readonly webhook: CheckedWebhook | undefined
  readonly mempoolInterval: number
  readonly logger: ChainLogger
  readonly counters: PaymentCounters
  readonly signal: AbortSignal
  /** Called after events were written by this instance. */
  readonly onEvents: () => void
}

/** How often requests that reach a depth or expire are looked for, in ms: rows that change are announced. */
const INTERVAL = 500

/** Evaluates, delivers and looks at the mempool until the signal aborts. Each of them opens its session again. */
export async function runPayments(context: RunContext): Promise<void> {
  const end = new AbortController()
  const signal = AbortSignal.any([context.signal, end.signal])
  const parts = [evaluateOn, pollOn].map((part) => keepRunning({ ...context, signal }, part))
  try {
    await Promise.all(parts)
  } finally {
    end.abort() // where one of them rejects
    await Promise.allSettled(parts)
  }
}

async function evaluateOn(context: RunContext): Promise<void> {
  const { database, tables, webhook, signal, counters } = context
  // no other instance has this lease
  const session = await database.sessions.open({ lease: `payments ${globalThis.crypto.randomUUID()}`, signal })
  try {
    const changed$ = await session.listen(paymentChannel(tables.schema))
    const evaluation: EvaluatorContext = { session, tables, hasWebhook: webhook !== undefined }
    const written$ = new Subject<void>()
    const evaluating = eachTime(merge(changed$, interval(INTERVAL)), session, signal, async () => {
      const { events } = await evaluateDue(evaluation, signal)
      counters.events += events
      if (events === 0) return
      written$.next()
      context.onEvents()
    })
    const delivering =
      webhook === undefined
        ? undefined
        : eachTime(merge(changed$, written$, interval(INTERVAL)), session, signal, async () => {
            await deliverDue({ session, tables, webhook, counters, signal })
          })
    await Promise.all([evaluating, delivering])
  } finally {
    await session.close()
  }
}

/** Works at once and after each emission, until the signal aborts or the session is lost. */
async function eachTime(
  trigger$: Observable<unknown>,
  session: SqlSession,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const pending$ = new BehaviorSubject(true)
  const subscription = trigger$.subscribe(() => pending$.next(true))
  try {
    while (!signal.aborted) {
      pending$.next(false)
      await work()
      const next = firstValueFrom(merge(pending$.pipe(filter(Boolean)), abort$(signal)))
      await Promise.race([next, session.dropped])
    }
  } finally {
    subscription.unsubscribe()
  }
}

async function pollOn(context: RunContext): Promise<void> {
  const { database, tables, engine, webhook, mempoolInterval, logger, counters, signal } = context
  const lease = `vue-chain payments mempool ${tables.schema} ${tables.network}`
  const session = await database.sessions.open({ lease, signal })
  try {
    const evaluation = { session, tables, hasWebhook: webhook !== undefined }
    const poller = new MempoolPoller(evaluation, engine, signal)
    const isEnded = (): boolean => signal.aborted
    while (!isEnded()) {
      try {
        const events = await poller.round()
        counters.events += events
        if (events > 0) context.onEvents()
      } catch (error) {
        if (isEnded() || error instanceof SessionDropped) throw error
        logger.warn('The mempool could not be read', { error }) // the next round reads it
      }
      counters.lookedAt = poller.completeSince
      await Promise.race([sleep(mempoolInterval, signal), session.dropped])
    }
  } finally {
    counters.lookedAt = null
    await session.close()
  }
}
