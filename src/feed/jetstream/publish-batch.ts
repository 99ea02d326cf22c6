import { converted, ApiCode, OVERLOADED } from './nats-server.js'
import type { OpenedStream } from './open-stream.js'
import type { NextPlace, Outgoing, PublishPlace } from './plan-batch.js'
import type { MsgHdrs } from '@nats-io/transport-node'
import { ChainError } from '../../errors/chain-error.js'
import { SessionDropped } from '../../errors/payout-error.js'
import type { JetStreamClients } from './nats-connection.js'
import { takenOver } from '../sink.js'

/** Where a stream ends. */
interface WrittenEnd {
  /** The last sequence of the stream. */
  readonly lastSequence: number
  /** The end of the last batch that counts; null before the first one. */
  readonly end: { readonly batch: number; readonly sequence: number; readonly attempt: string } | null
}

/** Plans the next batch for its place, and publishes it. Rejects as `publishBatch`, and once the session is lost. */
type WriteBatch = (plan: (place: NextPlace) => readonly Outgoing[]) => Promise<void>

/** Publishes batches, each directly after the one before it. */
export function createBatchWriter(
  stream: string,
  { end, ...written }: WrittenEnd,
  { clients, nextAttempt, dropped, ...opened }: OpenedStream,
): WriteBatch {
  let { isAtomic } = opened
  let { lastSequence } = written
  let batch = end?.batch ?? 0
  let previous = end?.sequence ?? 0
  let previousAttempt = end?.attempt ?? null
  return async (plan) => {
    const attempt = nextAttempt()
    const place = { stream, batch: batch + 1, attempt, previous, previousAttempt, lastSequence }
    const messages = plan(place)
    isAtomic = await Promise.race([converted(() => publishBatch(clients, messages, place, isAtomic)), dropped])
    lastSequence += messages.length
    previous = lastSequence
    previousAttempt = attempt
    batch += 1
  }
}

/** After how many messages an acknowledgement is requested. Twice as many are in flight. */
const WINDOW = 500

/**
 * The most messages that are stored as one atomic batch: more of them take several times as long as in a chain. Servers
 * take 1,000.
 */
const ATOMIC_LIMIT = 100

/** The id of a message: its attempt and its position in the batch. */
const idOf = (attempt: string, position: number): string => `${attempt}.${position}`

/** Codes of messages that do not follow the one that they were to follow, or are there already. */
const OUT_OF_ORDER = new Set<number>([ApiCode.wrongLastSequence, ApiCode.wrongLastMessageId, ApiCode.duplicateInBatch])

/**
 * Codes of servers and streams that do not take these batches: switched off, a header of newer servers, a lower limit.
 */
const NOT_ATOMIC = new Set([10_174, 10_177, 10_199])

/**
 * Publishes a batch. A failure may leave a part of it, which is an attempt that does not count. Resolves to whether the
 * next one may be atomic. Rejects with `ChainError` `taken-over` where another instance was faster, and with
 * `SessionDropped` where the outcome is unknown.
 */
export async function publishBatch(
  clients: JetStreamClients,
  messages: readonly Outgoing[],
  place: PublishPlace,
  isAtomic: boolean,
): Promise<boolean> {
  const asOne = isAtomic && messages.length <= ATOMIC_LIMIT
  const rejected = await (asOne ? publishAtomic : publishChained)(clients, messages, place)
  if (rejected === null) return isAtomic
  if (asOne && NOT_ATOMIC.has(rejected.code)) return publishBatch(clients, messages, place, false) // nothing was stored
  await judge(clients, messages, place, rejected)
  return isAtomic
}

/** What the server says about a message that it did not store. */
interface Rejection {
  /** As of HTTP. */
  readonly status: number
  readonly code: number
  readonly description: string
}

/** The server stores all messages with the last one, or none. */
async function publishAtomic(
  clients: JetStreamClients,
  messages: readonly Outgoing[],
  { attempt, lastSequence, stream }: PublishPlace,
): Promise<Rejection | null> {
  for (const [position, { subject, body }] of messages.entries()) {
    const headers = clients.createHeaders()
    headers.set('Nats-Msg-Id', idOf(attempt, position))
    headers.set('Nats-Batch-Id', attempt)
    headers.set('Nats-Batch-Sequence', String(position + 1))
    if (position === 0) expectFirst(headers, stream, lastSequence)
    if (position < messages.length - 1) clients.connection.publish(subject, body, { headers })
    else {
      headers.set('Nats-Batch-Commit', '1')
      return request(clients, subject, body, headers)
    }
  }
  return null
}

/**
 * Each message is stored only directly after the one before it, by sequence and id: the acknowledgement of a message is
 * one for all before it, and nothing of another instance can come between them.
 */
async function publishChained(
  clients: JetStreamClients,
  messages: readonly Outgoing[],
  { attempt, lastSequence, stream }: PublishPlace,
): Promise<Rejection | null> {
  let requested: Promise<Rejection | null> = Promise.resolve(null)
  for (const [position, { subject, body }] of messages.entries()) {
    const headers = clients.createHeaders()
    headers.set('Nats-Msg-Id', idOf(attempt, position))
    expectFirst(headers, stream, lastSequence + position)
    if (position > 0) headers.set('Nats-Expected-Last-Msg-Id', idOf(attempt, position - 1))
    const isLast = position === messages.length - 1
    if (!isLast && position % WINDOW !== WINDOW - 1) clients.connection.publish(subject, body, { headers })
    else {
      const next = request(clients, subject, body, headers)
      next.catch(() => undefined) // awaited below, unless the one before has failed
      const rejected = await requested
      if (rejected !== null) return rejected
      requested = next
    }
  }
  return requested
}

function expectFirst(headers: MsgHdrs, stream: string, sequence: number): void {
  headers.set('Nats-Expected-Stream', stream)
  headers.set('Nats-Expected-Last-Sequence', String(sequence))
}

/** Publishes a message and waits for its acknowledgement; null where it was stored. */
async function request(
  { connection, timeout }: JetStreamClients,
  subject: string,
  body: string,
  headers: MsgHdrs,
): Promise<Rejection | null> {
  const reply = await connection.request(subject, body, { headers, timeout })
  const { error } = reply.json<{ error?: { code: number; err_code: number; description: string } }>()
  return error === undefined ? null : { status: error.code, code: error.err_code, description: error.description }
}

/** A wrong sequence is no proof of a take-over: the message at the expected place says whose it is. */
async function judge(
  { manager, instance }: JetStreamClients,
  messages: readonly Outgoing[],
  { stream, attempt, lastSequence }: PublishPlace,
  rejected: Rejection,
): Promise<void> {
  if (!OUT_OF_ORDER.has(rejected.code)) throw refused(rejected)
  const idAt = async (sequence: number): Promise<string | undefined> =>
    (await manager.streams.getMessage(stream, { seq: sequence }))?.header.get('Nats-Msg-Id')
  const first = await idAt(lastSequence + 1)
  if (first === idOf(attempt, 0)) {
    const last = await idAt(lastSequence + messages.length)
    if (last === idOf(attempt, messages.length - 1)) return // only the acknowledgement was lost
  }
  if (first === undefined || first.startsWith(`${instance}-`))
    throw new SessionDropped(new Error('A batch was stored in part')) // of this attempt, or of one before
  throw takenOver()
}

/** As `SessionDropped` where the server has no resources at the moment, or no leader. */
const refused = ({ status, code, description }: Rejection): Error => {
  const details = `${description} (code ${code})`
  return status >= OVERLOADED
    ? new SessionDropped(new Error(details))
    : new ChainError(`The NATS server rejected a message: ${details}`, { details })
}
