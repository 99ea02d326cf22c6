import type { SqlSession } from '../../sql/session.js'
import { evaluate, type RequestLook } from './evaluate.js'
import { BATCH, noteFollowed, readByIds, readDue } from './due-requests.js'
import type { PaymentTables, ReadRequests } from './request-rows.js'
import { writeEvaluations } from './write-evaluations.js'

/** What an evaluation writes where. */
export interface EvaluatorContext {
  readonly session: Pick<SqlSession, 'run'>
  readonly tables: PaymentTables
  /** Whether events are delivered by webhooks. */
  readonly hasWebhook: boolean
}

/** What a round has done. */
export interface Round {
  /** Requests that were written. */
  readonly written: number
  /** Events among them. */
  readonly events: number
}

/** Evaluates all requests that can change, batch by batch. */
export async function evaluateDue(context: EvaluatorContext, signal: AbortSignal): Promise<Round> {
  const { session, tables } = context
  let round: Round = { written: 0, events: 0 }
  while (!signal.aborted) {
    const read = await session.run((query) => readDue(query, tables))
    const { isLive, now } = read.position
    const isNoted = read.rows.length > 0 && read.rows.length < BATCH // with what is written: one commit less
    const { written, events } = await write(context, read, { followedAt: isNoted && isLive ? now : null })
    round = { written: round.written + written, events: round.events + events }
    if (read.rows.length === BATCH && written > 0) continue
    if (isLive && !isNoted) await session.run((query) => noteFollowed(query, tables, now))
    return round
  }
  return round
}

/** Evaluates requests after a look at the mempool. */
export async function evaluateLooks(
  context: EvaluatorContext,
  looks: ReadonlyMap<string, RequestLook>,
): Promise<Round> {
  const ids = [...looks.keys()]
  let round: Round = { written: 0, events: 0 }
  for (let from = 0; from < ids.length; from += BATCH) {
    const chunk = ids.slice(from, from + BATCH)
    const read = await context.session.run((query) => readByIds(query, context.tables, chunk))
    const { written, events } = await write(context, read, { looks })
    round = { written: round.written + written, events: round.events + events }
  }
  return round
}

interface WriteOptions {
  readonly looks?: ReadonlyMap<string, RequestLook>
  /** Where these are all rows up to a time, in Unix ms. */
  readonly followedAt?: number | null
}

async function write(
  { session, tables, hasWebhook }: EvaluatorContext,
  { rows, position }: ReadRequests,
  { looks, followedAt = null }: WriteOptions,
): Promise<Round> {
  const evaluated = rows.map((request) => ({
    request,
    evaluation: evaluate(request, position, looks?.get(request.id)),
  }))
  const written = await session.run((query) => writeEvaluations(query, tables, evaluated, hasWebhook, followedAt))
  const events = evaluated.filter(({ request, evaluation }) => written.has(request.id) && evaluation.type !== null)
  return { written: written.size, events: events.length }
}
