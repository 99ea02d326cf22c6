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
