import type { ChainNetwork } from '../../model/network.js'
import type { FeedSession, FeedStep } from '../sink.js'
import { CreditIndex } from './credit-index.js'
import { converted } from './nats-errors.js'
import { planBatch } from './plan-batch.js'
import type { OpenedStream } from './open-stream.js'
import { publishBatch } from './publish-batch.js'
import type { StoredPosition } from './stored-position.js'
import { streamOf } from './subjects.js'

/** What a session needs beside the position at which it begins. */
export interface SessionContext extends OpenedStream {
  readonly network: ChainNetwork
}

/** Delivers from a stored position on. */
export function createSession(stored: StoredPosition, context: SessionContext): FeedSession {
  const { clients, network, nextAttempt, maxAge, heartbeat$, dropped, close } = context
  const { watched, end } = stored
  const credits = new CreditIndex(clients, network)
  let { isAtomic } = context
  let { lastSequence } = stored
  let batch = end?.batch ?? 0
  let previous = end?.sequence ?? 0
  let previousAttempt = end?.attempt ?? null

  async function write(step: FeedStep): Promise<readonly string[]> {
    const attempt = nextAttempt()
    const follows = { lastSequence, previous, previousAttempt, batch: batch + 1 }
    const place = { network, stream: streamOf(network), ...follows, attempt, maxAge, now: Date.now() }
    const messages = planBatch(step, place, watched)
    isAtomic = await Promise.race([converted(() => publishBatch(clients, messages, place, isAtomic)), dropped])
    credits.add(step)
    lastSequence += messages.length
    previous = lastSequence
    previousAttempt = attempt
    batch += 1
    return []
  }

  return {
    cursor: end?.cursor ?? null,
    watched: watched.addresses(),
    write,
    findCredits: (outpoints) => converted(() => credits.find(outpoints)),
    findOpenings: (blueScore) => watched.openingsAbove(blueScore),
    heartbeat$,
    dropped,
    close,
  }
}
