import type { AddressOpening } from '../../streams/transfers/openings.js'
import type { AddedMessage, BeginMessage, FeedMessage, RemovedMessage, Unnumbered, WatchedMessage } from './messages.js'

/** How many addresses a message holds: some 150 kB. */
export const ADDRESSES_A_MESSAGE = 2_000

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
