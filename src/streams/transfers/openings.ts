import type { WatchedAddresses } from './watched-addresses.js'

/** A watched address, and the blue score of the block after which it counts. */
export interface AddressOpening {
  readonly address: string
  readonly blueScore: bigint
}

/**
 * Looks up the watched addresses that count after a block above a blue score, in what the application has stored: in the first batch
 * without `cursor` those of the option `addresses`, later those of `added` with `addedAfter`; after a `rollback` none counts after a
 * block above it.
 */
export type FindOpenings = (blueScore: bigint) => Promise<Iterable<AddressOpening>> | Iterable<AddressOpening>

/** Since when watched addresses count: a reorg below undoes their opening credits. */
export class Openings {
  /** The blue scores after which the addresses count that were added during the iteration. */
  readonly #added = new Map<string, bigint>()
  /** Addresses that do not count yet. */
  readonly #pending = new Set<string>()
  /** The blue score after which all others count. */
  #initial = 0n

  constructor(private readonly watched: WatchedAddresses) {}

  begin(blueScore: bigint): void {
    this.#initial = blueScore
  }

  /** After a restart, all addresses count from the oldest block of the cursor. */
  resume(oldest: bigint): void {
    this.#initial = oldest
  }

  isActive(address: string): boolean {
    return this.watched.has(address) && !this.#pending.has(address)
  }

  isPending(address: string): boolean {
    return this.#pending.has(address)
  }

  addPending(addresses: readonly string[]): void {
    for (const address of addresses) this.#pending.add(address)
  }

  /** Lets added addresses count after a block. */
  activate(addresses: readonly string[], blueScore: bigint): void {
    for (const address of addresses) {
      this.#pending.delete(address)
      this.#added.set(address, blueScore)
    }
  }

  /** Takes over what earlier processes have stored, unless it is known. */
  restore(found: Iterable<AddressOpening>): void {
    for (const { address, blueScore } of found)
      if (this.isActive(address) && !this.#added.has(address)) this.#added.set(address, blueScore)
  }

  /** Lets all addresses that count after a block above a blue score count from there. */
  lowerTo(blueScore: bigint): void {
    if (this.#initial > blueScore) this.#initial = blueScore
    for (const [address, score] of this.#added) if (score > blueScore) this.#added.set(address, blueScore)
  }

  delete(addresses: readonly string[]): void {
    for (const address of addresses) {
      this.#pending.delete(address)
      this.#added.delete(address)
    }
  }

  /** The addresses that count after a block above a blue score. */
  above(blueScore: bigint): readonly string[] {
    if (this.#initial > blueScore) return [...this.watched].filter((address) => this.#isAbove(address, blueScore))
    return [...this.#added].flatMap(([address, score]) => (score > blueScore ? [address] : []))
  }

  #isAbove(address: string, blueScore: bigint): boolean {
    return this.isActive(address) && (this.#added.get(address) ?? this.#initial) > blueScore
  }
}
