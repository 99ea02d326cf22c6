import {
  MAX_STARTS,
  NO_STARTS,
  tailOf,
  type AddressStart,
  type AddressStarts,
  type CursorPosition,
} from '../../model/chain-cursor/cursor.js'
import { entriesOf } from '../../model/chain-cursor/locator.js'

/**
 * Looks up the watched addresses that count after a block above a blue score, in what the application has stored: in
 * the first batch without `cursor` those of the option `addresses`, later those of `added` with `addedAfter`; after a
 * `rollback` none counts after a block above it.
 */
export type FindOpenings = (blueScore: bigint) => Promise<Iterable<AddressOpening>> | Iterable<AddressOpening>

/** No reorg reaches below it, in blue score: the finality depth of mainnet. */
const HORIZON = 432_000n

/** Since when addresses count: a reorg below undoes their opening credits. */
export class Openings {
  /** The blue scores after which the addresses count that were added during the iteration, or during earlier ones. */
  readonly #added = new AddressScores()
  /** The blue score after which all others count. */
  #initial = 0n
  /** The blue score from which `#added` is complete. */
  #completeFrom = 0n

  /** All addresses count after a block. */
  begin(blueScore: bigint): void {
    this.#initial = blueScore
  }

  /** Continues at a stored position, whose oldest block is not below the beginning. */
  resume({ locator, starts: { starts, completeFrom } }: CursorPosition, watched: Iterable<string>): void {
    this.#initial = entriesOf(locator).at(-1)?.blueScore ?? 0n
    this.#completeFrom = completeFrom
    if (starts.length === 0) return
    const scores = new Map(starts.map(({ tail, blueScore }) => [tail, blueScore]))
    for (const address of watched) {
      const blueScore = scores.get(tailOf(address))
      if (blueScore !== undefined) this.#added.set(address, blueScore)
    }
  }

  /** Takes over what earlier processes have stored, unless it is known. */
  restore(found: Iterable<AddressOpening>, isCounting: (address: string) => boolean): void {
    for (const { address, blueScore } of found)
      if (isCounting(address) && !this.#added.has(address)) this.#added.set(address, blueScore)
  }

  /** Added addresses count after a block. */
  activate(addresses: Iterable<string>, blueScore: bigint): void {
    for (const address of addresses) this.#added.set(address, blueScore)
  }

  delete(addresses: readonly string[]): void {
    for (const address of addresses) this.#added.delete(address)
  }

  /** Lets all addresses that count after a block above a blue score count from there. */
  lowerTo(blueScore: bigint): void {
    if (this.#initial > blueScore) this.#initial = blueScore
    for (const { address } of [...this.#added.above(blueScore)]) this.#added.set(address, blueScore)
  }

  /** Whether it is known which addresses count after a block above a blue score. */
  isKnownAbove(blueScore: bigint): boolean {
    return blueScore >= this.#completeFrom
  }

  /** The addresses that count after a block above a blue score, of those that count at all. */
  above(blueScore: bigint, counting: () => Iterable<string>): readonly string[] {
    if (this.#initial > blueScore)
      return [...counting()].filter((address) => (this.#added.get(address) ?? this.#initial) > blueScore)
    return [...this.#added.above(blueScore)].map(({ address }) => address)
  }

  /**
   * What a cursor carries, at a position with this blue score: the newest starts. Forgets those that no reorg reaches.
   */
  toStarts(tipScore: bigint): AddressStarts {
    const final = this.#added.deleteUpTo(tipScore - HORIZON)
    if (final !== undefined && final > this.#completeFrom) this.#completeFrom = final
    if (this.#added.size === 0 && this.#completeFrom === 0n) return NO_STARTS
    const starts: AddressStart[] = []
    for (const { address, blueScore } of this.#added.above(-1n)) {
      starts.push({ tail: tailOf(address), blueScore })
      if (starts.length > MAX_STARTS) break // one more than a cursor names: it says from where the list is complete
    }
    return { completeFrom: this.#completeFrom, starts }
  }
}

/** A watched address, and the blue score of the block after which it counts. */
export interface AddressOpening {
  readonly address: string
  readonly blueScore: bigint
}

/** Blue scores by address, in their order: what a block reads does not depend on the number of addresses. */
export class AddressScores {
  readonly #scores = new Map<string, bigint>()
  readonly #addresses = new Map<bigint, Set<string>>()
  /** Ascending. Most are added at the end. */
  readonly #sorted: bigint[] = []

  get size(): number {
    return this.#scores.size
  }

  has(address: string): boolean {
    return this.#scores.has(address)
  }

  get(address: string): bigint | undefined {
    return this.#scores.get(address)
  }

  set(address: string, blueScore: bigint): void {
    this.delete(address)
    this.#scores.set(address, blueScore)
    const addresses = this.#addresses.get(blueScore)
    if (addresses !== undefined) addresses.add(address)
    else {
      this.#addresses.set(blueScore, new Set([address]))
      this.#sorted.splice(this.#indexAfter(blueScore), 0, blueScore)
    }
  }

  delete(address: string): void {
    const blueScore = this.#scores.get(address)
    if (blueScore === undefined) return
    this.#scores.delete(address)
    const addresses = this.#addresses.get(blueScore)
    addresses?.delete(address)
    if (addresses?.size !== 0) return
    this.#addresses.delete(blueScore)
    this.#sorted.splice(this.#indexAfter(blueScore) - 1, 1)
  }

  /** The addresses above a blue score, the highest first. */
  *above(blueScore: bigint): Generator<AddressOpening> {
    for (let at = this.#sorted.length - 1; at >= 0; at--) {
      const score = this.#sorted[at]
      if (score === undefined || score <= blueScore) return
      for (const address of this.#addresses.get(score) ?? []) yield { address, blueScore: score }
    }
  }

  /** Forgets all up to a blue score; returns the highest of them. */
  deleteUpTo(blueScore: bigint): bigint | undefined {
    const count = this.#indexAfter(blueScore)
    if (count === 0) return undefined
    const scores = this.#sorted.splice(0, count)
    for (const score of scores) {
      for (const address of this.#addresses.get(score) ?? []) this.#scores.delete(address)
      this.#addresses.delete(score)
    }
    return scores.at(-1)
  }

  /** How many of the sorted scores are not above a blue score. */
  #indexAfter(blueScore: bigint): number {
    let [from, to] = [0, this.#sorted.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#sorted[middle] ?? 0n) <= blueScore) from = middle + 1
      else to = middle
    }
    return from
  }
}
