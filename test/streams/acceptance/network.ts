import type { ChainStep } from '../../../src/streams/acceptance/chain.js'
import type { AcceptanceChange } from '../../../src/streams/acceptance/change.js'

/** A node's virtual chain, as simple as can be: what it is, what it has told, and what it answers. */
export class SimulatedChain {
  #chain: { hash: string; accepted: string[] }[] = [{ hash: 'genesis', accepted: [] }]
  readonly #everything = new Map<string, { hash: string; accepted: string[]; parent: string }>()
  readonly #forgotten = new Set<string>()
  #count = 0
  /** Told, and not yet delivered. */
  readonly pending: ChainStep[] = []

  constructor(readonly pageLimit: number) {}

  get tip(): string {
    return this.#chain.at(-1)!.hash
  }

  /** Replaces the last `depth` chain blocks by `length` new ones, in one breath. */
  grow(length: number, depth = 0): void {
    const kept = Math.max(1, this.#chain.length - depth)
    const gone = this.#chain.splice(kept)
    const added = Array.from({ length }, () => this.#block())
    // What a reorg takes out is mostly accepted again: the first new block takes the transactions of the lost ones.
    added[0]?.accepted.push(...gone.flatMap(({ accepted }) => accepted.slice(1)))
    for (const block of added) {
      this.#everything.set(block.hash, { ...block, parent: this.tip })
      this.#chain.push(block)
    }
    if (length + depth > 0) this.pending.push({ removed: gone.map(({ hash }) => hash).reverse(), added })
  }

  #block(): { hash: string; accepted: string[] } {
    const n = ++this.#count
    return { hash: `block ${n}`, accepted: [`coinbase ${n}`, `payment ${n}`] }
  }

  /** Of all the blocks there were, keeps only the newest of the chain. */
  forget(): void {
    for (const hash of this.#everything.keys()) if (hash !== this.tip) this.#forgotten.add(hash)
    this.#forgotten.add('genesis')
  }

  /** What `getVirtualChainFromBlock` answers now; null where it does not know the block. */
  page(from: string): ChainStep | null {
    if (this.#forgotten.has(from)) return null
    const removed: string[] = []
    let at = from
    while (!this.#chain.some(({ hash }) => hash === at)) {
      removed.push(at)
      at = this.#everything.get(at)!.parent
    }
    const place = this.#chain.findIndex(({ hash }) => hash === at)
    return { removed, added: this.#chain.slice(place + 1, place + 1 + this.pageLimit) }
  }

  /** The blocks of the chain as it is now. */
  hashes(): ReadonlySet<string> {
    return new Set(this.#chain.map(({ hash }) => hash))
  }

  /** What is accepted now by blocks that are none of `before`. */
  acceptedBeside(before: ReadonlySet<string>): Map<string, string> {
    const blocks = this.#chain.filter(({ hash }) => !before.has(hash))
    return new Map(blocks.flatMap(({ hash, accepted }) => accepted.map((id) => [id, hash] as const)))
  }
}

/** A listener's book-keeping: what is accepted, and in which block. Throws where a change makes no sense. */
export function account(
  accepted: Map<string, string>,
  changes: readonly AcceptanceChange[],
  strangers: 'refused' | 'expected' = 'refused',
): void {
  for (const { type, transactionId, acceptingBlockHash } of changes) {
    const known = accepted.get(transactionId)
    if (type === 'accepted') {
      if (known !== undefined) throw new Error(`${transactionId} was said twice: in ${known} and ${acceptingBlockHash}`)
      accepted.set(transactionId, acceptingBlockHash)
    } else if (known !== undefined || strangers === 'refused') {
      if (known !== acceptingBlockHash) throw new Error(`${transactionId} was taken back, but not from ${known}`)
      accepted.delete(transactionId)
    }
  }
}
