import type { ChainNetwork } from '../../model/network.js'
import type { FeedStep } from '../sink.js'
import { toTransferMessage, type FeedMessage, type Unnumbered } from './messages.js'
import { batchSubject, transferSubject, watchedSubject } from './subjects.js'
import { ADDRESSES_A_MESSAGE, chunks, type WatchSet } from './watch-set.js'

/** A message of a batch, ready to be published. */
export interface Outgoing {
  readonly subject: string
  readonly body: string
}

/** Where a batch is published. */
export interface PublishPlace {
  readonly stream: string
  readonly attempt: string
  /** The last sequence of the stream: the batch follows it. */
  readonly lastSequence: number
}

/** Where a batch is published that follows another one. */
export interface NextPlace extends PublishPlace {
  readonly batch: number
  /** The sequence of the end of the batch before; 0 for none. */
  readonly previous: number
  /** The attempt of the batch before; null for none. */
  readonly previousAttempt: string | null
}

/** Where a batch of transfers is published. */
export interface BatchPlace extends NextPlace {
  readonly network: ChainNetwork
  /** When the watched addresses are written again, in ms. */
  readonly now: number
  readonly maxAge: number
}

/**
 * The messages of a step, in order. Position and sequence of each are known before it is published, because nothing may
 * come between them: so the last one can name those that make up the watched addresses. Changes `watched`.
 */
export function planBatch(step: FeedStep, place: BatchPlace, watched: WatchSet): readonly Outgoing[] {
  const { network, batch, attempt, lastSequence, previous, previousAttempt } = place
  const outgoing: Outgoing[] = []
  const put = (subject: string, message: Unnumbered<FeedMessage>): void => {
    outgoing.push({ subject, body: JSON.stringify({ batch, attempt, ...message }) })
    if (message.type !== 'watched') watched.apply(message, lastSequence + outgoing.length, place.now)
  }
  const toBatch = batchSubject(network)
  put(toBatch, { type: 'begin', rollback: toRollback(step), previous, previousAttempt })
  for (const addresses of chunks(step.added, ADDRESSES_A_MESSAGE))
    put(toBatch, { type: 'added', addresses, after: String(step.addedAfter), previous })
  for (const addresses of chunks(step.removed, ADDRESSES_A_MESSAGE))
    put(toBatch, { type: 'removed', addresses, previous })
  let transfers = 0
  for (const { transfers: ofTransaction, fee } of step.transactions) {
    transfers += ofTransaction.length
    for (const transfer of ofTransaction)
      put(transferSubject(network, transfer.address), toTransferMessage(transfer, fee))
  }
  if (watched.isSnapshotDue(place.now, place.maxAge))
    for (const message of watched.snapshot(lastSequence + outgoing.length + 1, place.now))
      put(watchedSubject(network), message)
  const { cursor, blueScore, isLive } = step
  put(toBatch, {
    type: 'end',
    transfers,
    cursor,
    blueScore: String(blueScore),
    isLive,
    watched: watched.sequences,
  })
  return outgoing
}

function toRollback({ rollback }: FeedStep) {
  if (rollback === null) return null
  const { hash, blueScore, daaScore } = rollback
  return { hash, blueScore: String(blueScore), daaScore: String(daaScore) }
}
