import { converted } from './nats-errors.js'
import type { OpenedStream } from './open-stream.js'
import type { NextPlace, Outgoing } from './plan-batch.js'
import { publishBatch } from './publish-batch.js'

/** Where a stream ends. */
interface WrittenEnd {
  /** The last sequence of the stream. */
  readonly lastSequence: number
  /** The end of the last batch that counts; null before the first one. */
  readonly end: { readonly batch: number; readonly sequence: number; readonly attempt: string } | null
}

/** Plans the next batch for its place, and publishes it. Rejects as `publishBatch`, and once the session is lost. */
export type WriteBatch = (plan: (place: NextPlace) => readonly Outgoing[]) => Promise<void>

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
