import type { ChainStep } from '../../../src/streams/acceptance/chain.js'
import type { AcceptanceChange } from '../../../src/streams/acceptance/change.js'

/** A node's virtual chain, as simple as can be: what it is, what it has told, and what it answers. */
export class SimulatedChain {
  #chain: { hash: string; accepted: string[] }[] = [{ hash: 'genesis', accepted: [] }]
  readonly #everything = new Map<string, { hash: string; accepted: string[]; parent: string }>()
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
    this.pending.push({ removed: gone.map(({ hash }) => hash).reverse(), added })
  }

  #block(): { hash: string; accepted: string[] } {
    const n = ++this.#count
    return { hash: `block ${n}`, accepted: [`coinbase ${n}`, `payment ${n}`] }
  }

  /** What `getVirtualChainFromBlock` answers now. */
  page(from: string): ChainStep {
    const removed: string[] = []
    let at = from
    while (!this.#chain.some(({ hash }) => hash === at)) {
      removed.push(at)
      at = this.#everything.get(at)!.parent
    }
    const place = this.#chain.findIndex(({ hash }) => hash === at)
    return { removed, added: this.#chain.slice(place + 1, place + 1 + this.pageLimit) }
  }

  /** What is accepted now by the blocks after `baseline`; all, where that has left the chain. */
  acceptedAfter(baseline: string): Map<string, string> {
    const place = this.#chain.findIndex(({ hash }) => hash === baseline)
    const blocks = this.#chain.slice(place + 1)
    return new Map(blocks.flatMap(({ hash, accepted }) => accepted.map((id) => [id, hash] as const)))
  }
}

/** A listener's book-keeping: what is accepted, and in which block. Throws where a change makes no sense. */
export function account(accepted: Map<string, string>, changes: readonly AcceptanceChange[]): void {
  for (const { type, transactionId, acceptingBlockHash } of changes) {
    const known = accepted.get(transactionId)
    if (type === 'accepted') {
      if (known !== undefined) throw new Error(`${transactionId} was said twice: in ${known} and ${acceptingBlockHash}`)
      accepted.set(transactionId, acceptingBlockHash)
    } else {
      if (known !== acceptingBlockHash) throw new Error(`${transactionId} was taken back, but not from ${known}`)
      accepted.delete(transactionId)
    }
  }
}
