import type { ChainNetwork } from '../../model/network.js'
import type { FeedStep } from '../sink.js'
import {
  toTransferMessage,
  type FeedMessage,
  type Unnumbered,
  type AddedMessage,
  type BeginMessage,
  type RemovedMessage,
  type WatchedMessage,
} from './messages.js'
import { batchSubject, transferSubject, watchedSubject } from './ensure-stream.js'
import type { AddressOpening } from '../../streams/transfers/openings.js'

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

/** How many addresses a message holds: some 150 kB. */
const ADDRESSES_A_MESSAGE = 2_000

/** Changes of the set that may follow a snapshot before the next one, beside as many as the snapshot has messages. */
const CHANGES = 64

/**
 * The addresses that count, with the blue score after which each counts, and the messages of the stream that say so.
 */
export class WatchSet {
  readonly #openings = new Map<string, bigint>()
  #sequences: number[] = []
  #snapshotSize = 0
  /** When the oldest of the messages was written, in ms. */
  #oldest: number | undefined

  /** The stream sequences that make up the set. */
  get sequences(): readonly number[] {
    return this.#sequences
  }

  addresses(): readonly string[] {
    return [...this.#openings.keys()]
  }

  openingsAbove(blueScore: bigint): readonly AddressOpening[] {
    return [...this.#openings].flatMap(([address, score]) => (score > blueScore ? [{ address, blueScore: score }] : []))
  }

  /** Applies a message of a batch. */
  apply(message: Unnumbered<FeedMessage>, sequence: number, time: number): void {
    if (!this.#change(message)) return
    this.#sequences.push(sequence)
    this.#oldest ??= time
  }

  /** Applies a message that was read from the stream. */
  restore(message: FeedMessage, sequence: number, time: number): void {
    if (message.type === 'watched') this.#snapshotSize += 1
    this.apply(message, sequence, time)
  }

  /** Whether reading the changes costs more than a snapshot, or the oldest message has an age of `maxAge` ms. */
  isSnapshotDue(now: number, maxAge: number): boolean {
    if (this.#oldest === undefined) return false
    return this.#sequences.length > CHANGES + 2 * this.#snapshotSize || Math.abs(now - this.#oldest) > maxAge
  }

  /** The whole set as messages, of which the first one has the given sequence. They replace all before. */
  snapshot(firstSequence: number, now: number): readonly Unnumbered<WatchedMessage>[] {
    const messages = chunks([...this.#openings], ADDRESSES_A_MESSAGE).map(toWatchedMessage)
    this.#sequences = messages.map((_, index) => firstSequence + index)
    this.#snapshotSize = messages.length
    this.#oldest = now
    return messages
  }

  #change(message: Unnumbered<FeedMessage>): boolean {
    switch (message.type) {
      case 'begin':
        return this.#lower(message)
      case 'added':
        return this.#add(message)
      case 'removed':
        return this.#remove(message)
      case 'watched':
        for (const [score, addresses] of message.openings)
          for (const address of addresses) this.#openings.set(address, BigInt(score))
        return true
      case 'transfer':
      case 'end':
        return false
    }
  }

  /** The addresses whose opening credits a reorg undoes have new ones in the same batch, at the fork point. */
  #lower({ rollback }: Pick<BeginMessage, 'rollback'>): boolean {
    if (rollback === null) return false
    const blueScore = BigInt(rollback.blueScore)
    const above = this.openingsAbove(blueScore)
    for (const { address } of above) this.#openings.set(address, blueScore)
    return above.length > 0
  }

  #add({ addresses, after }: Pick<AddedMessage, 'addresses' | 'after'>): boolean {
    const blueScore = BigInt(after)
    for (const address of addresses) this.#openings.set(address, blueScore)
    return true
  }

  #remove({ addresses }: Pick<RemovedMessage, 'addresses'>): boolean {
    for (const address of addresses) this.#openings.delete(address)
    return true
  }
}

function toWatchedMessage(openings: readonly (readonly [string, bigint])[]): Unnumbered<WatchedMessage> {
  const byScore = new Map<string, string[]>()
  for (const [address, blueScore] of openings) {
    const addresses = byScore.get(String(blueScore))
    if (addresses === undefined) byScore.set(String(blueScore), [address])
    else addresses.push(address)
  }
  return { type: 'watched', openings: [...byScore] }
}

/** Parts of at most `size` items. */
export function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
