import type { ChainNetwork } from '../../model/network.js'
import type { FeedSession } from '../sink.js'
import { createBatchWriter } from './batch-writer.js'
import { CreditIndex } from './credit-index.js'
import { converted } from './nats-errors.js'
import type { OpenedStream } from './open-stream.js'
import { planBatch } from './plan-batch.js'
import type { StoredPosition } from './stored-position.js'
import { streamOf } from './subjects.js'

/** Delivers from a stored position on. */
export function createSession(stored: StoredPosition, network: ChainNetwork, opened: OpenedStream): FeedSession {
  const { clients, maxAge, heartbeat$, dropped, close } = opened
  const { watched, end } = stored
  const credits = new CreditIndex(clients, network)
  const writeBatch = createBatchWriter(streamOf(network), stored, opened)
  return {
    cursor: end?.cursor ?? null,
    watched: watched.addresses(),
    async write(step) {
      await writeBatch((place) => planBatch(step, { ...place, network, maxAge, now: Date.now() }, watched))
      credits.add(step)
      return []
    },
    findCredits: (outpoints) => converted(() => credits.find(outpoints)),
    findOpenings: (blueScore) => watched.openingsAbove(blueScore),
    heartbeat$,
    dropped,
    close,
  }
}
