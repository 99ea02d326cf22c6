import { onAbort } from '../../../loading/abortable.js'
import type { SqlSession } from '../../../sql/session.js'
import { sign } from '../../webhook/signature.js'
import { toBody } from '../../webhook/webhook-body.js'
import type { PaymentCounters } from '../metrics.js'
import type { PaymentTables } from '../request-rows.js'
import { claimDeliveries, settleDelivery, type Delivery, type Outcome } from './deliveries.js'
import type { CheckedWebhook } from './options.js'
import { post, type Post } from './post.js'
import { nextAttemptAt } from './retry-schedule.js'

export interface DeliveryContext {
  readonly session: Pick<SqlSession, 'run'>
  readonly tables: PaymentTables
  readonly webhook: CheckedWebhook
  readonly counters: Pick<PaymentCounters, 'attempts'>
  readonly signal: AbortSignal
  readonly resolve?: Post['resolve']
}

/** How long the receiver may take, in ms. */
const TIMEOUT = 10_000

/** Delivers what is due, until nothing is; resolves to the number of attempts. */
export async function deliverDue(context: DeliveryContext): Promise<number> {
  const { session, tables, signal } = context
  let count = 0
  while (!signal.aborted) {
    const claimed = await session.run((query) => claimDeliveries(query, tables))
    if (claimed.length === 0) return count
    await attemptAll(context, claimed)
    count += claimed.length
  }
  return count
}

/** With a signal of their own: Node warns of more than ten subscriptions to one. */
async function attemptAll(context: DeliveryContext, claimed: readonly Delivery[]): Promise<void> {
  const end = new AbortController()
  const release = onAbort(context.signal, (reason) => end.abort(reason))
  try {
    await Promise.all(claimed.map((delivery) => attempt({ ...context, signal: end.signal }, delivery)))
  } finally {
    release()
  }
}

async function attempt(context: DeliveryContext, delivery: Delivery): Promise<void> {
  const { content, attempts } = delivery
  const outcome = await reply(context, content).then(
    (status) => toOutcome(status, attempts, content.at),
    (error: unknown) => retry(errorText(error), attempts, content.at),
  )
  if (context.signal.aborted && outcome.type !== 'delivered') return // the claim expires
  context.counters.attempts[outcome.type]++
  await context.session.run((query) => settleDelivery(query, context.tables, delivery, outcome))
}

async function reply({ webhook, signal, resolve }: DeliveryContext, content: Delivery['content']): Promise<number> {
  const body = toBody(content)
  const id = `${encodeURIComponent(content.id)}/${content.version}` // as a header can have it
  const timestamp = Math.floor(Date.now() / 1_000)
  const signatures = await Promise.all(webhook.keys.map((key) => sign({ id, timestamp, body }, key)))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'vue-chain',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
  const { url, allowPrivate } = webhook
  return post({ url, headers, body, allowPrivate, timeout: TIMEOUT, signal, resolve })
}

/** 2xx ends it, 410 too: the receiver wants no more of it. */
function toOutcome(status: number, attempts: number, at: number): Outcome {
  if (status >= 200 && status < 300) return { type: 'delivered' }
  const error = `The receiver replied with status ${status}`
  return status === 410 ? { type: 'failed', error } : retry(error, attempts, at)
}

function retry(error: string, attempts: number, eventAt: number): Outcome {
  const at = nextAttemptAt(attempts, eventAt, Date.now())
  return at === null ? { type: 'failed', error } : { type: 'retry', at, error }
}

/** Of a timeout, a socket or a name that has no address. */
const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500)
