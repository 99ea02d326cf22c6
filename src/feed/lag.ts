/** How far a position is behind the sink of the node. */
export interface Lag {
  readonly lagBlocks: bigint | null
  readonly lagSeconds: number | null
}

/** A sink's blue score, and when it was seen, in ms of a monotonic clock. */
interface Sample {
  readonly score: bigint
  readonly at: number
}

/** Samples beyond this are thinned to every second one. */
const CAPACITY = 2_000

/**
 * Measures lag by the times at which the node's sink passed the blocks that are not stored yet. The first block that is
 * not stored has waited since the first sample that shows it deep enough.
 */
export class LagMeter {
  #samples: Sample[] = []
  #newest: bigint | undefined

  constructor(private readonly minConfirmations: bigint) {}

  /** Adds the blue score of the node's sink. */
  see(score: bigint, at: number): void {
    this.#newest = score
    if (this.#samples.length >= CAPACITY) this.#samples = this.#samples.filter((_, index) => index % 2 === 0)
    this.#samples.push({ score, at })
  }

  measure(position: bigint | null, now: number): Lag {
    if (position === null || this.#newest === undefined) return { lagBlocks: null, lagSeconds: null }
    const seen = position + this.minConfirmations
    this.#samples = this.#samples.filter(({ score }) => score > seen)
    const [oldest] = this.#samples
    if (this.#newest <= seen || oldest === undefined) return { lagBlocks: 0n, lagSeconds: 0 }
    return { lagBlocks: this.#newest - seen, lagSeconds: Math.max(0, now - oldest.at) / 1_000 }
  }
}
