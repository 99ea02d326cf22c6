import type { ChainStep } from '../../../src/streams/acceptance/chain.js'
import type { AcceptanceChange } from '../../../src/streams/acceptance/change.js'

/** A simplified virtual chain of a node, with its notifications and responses. */
export class SimulatedChain {
  #chain: { hash: string; accepted: string[] }[] = [{ hash: 'genesis', accepted: [] }]
  readonly #everything = new Map<string, { hash: string; accepted: string[]; parent: string }>()
  readonly #forgotten = new Set<string>()
  #count = 0
  /** Notifications not delivered yet. */
  readonly pending: ChainStep[] = []

  constructor(readonly pageLimit: number) {}

  get tip(): string {
    return this.#chain.at(-1)!.hash
  }

  /** Replaces the last `depth` chain blocks by `length` new ones, in one notification. */
  grow(length: number, depth = 0): void {
    const kept = Math.max(1, this.#chain.length - depth)
    const removed = this.#chain.splice(kept)
    const added = Array.from({ length }, () => this.#block())
    // a reorg mostly accepts the same transactions again: the first new block takes those of the removed ones
    added[0]?.accepted.push(...removed.flatMap(({ accepted }) => accepted.slice(1)))
    for (const block of added) {
      this.#everything.set(block.hash, { ...block, parent: this.tip })
      this.#chain.push(block)
    }
    if (length + depth > 0) this.pending.push({ removed: removed.map(({ hash }) => hash).reverse(), added })
  }

  #block(): { hash: string; accepted: string[] } {
    const n = ++this.#count
    return { hash: `block ${n}`, accepted: [`coinbase ${n}`, `payment ${n}`] }
  }

  /** Prunes every block but the tip. */
  prune(): void {
    for (const hash of this.#everything.keys()) if (hash !== this.tip) this.#forgotten.add(hash)
    this.#forgotten.add('genesis')
  }

  /** The response of `getVirtualChainFromBlock`; null where the block is unknown. */
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

  /** The blocks of the current chain. */
  hashes(): ReadonlySet<string> {
    return new Set(this.#chain.map(({ hash }) => hash))
  }

  /** Transactions accepted by current chain blocks other than `before`. */
  acceptedBeside(before: ReadonlySet<string>): Map<string, string> {
    const blocks = this.#chain.filter(({ hash }) => !before.has(hash))
    return new Map(blocks.flatMap(({ hash, accepted }) => accepted.map((id) => [id, hash] as const)))
  }
}

/** Applies changes to accepting blocks by transaction. Throws where a change is inconsistent. */
export function applyChanges(
  accepted: Map<string, string>,
  changes: readonly AcceptanceChange[],
  unknownReverts: 'refused' | 'expected' = 'refused',
): void {
  for (const { type, transactionId, acceptingBlockHash } of changes) {
    const known = accepted.get(transactionId)
    if (type === 'accepted') {
      if (known !== undefined)
        throw new Error(`${transactionId} was accepted twice: in ${known} and ${acceptingBlockHash}`)
      accepted.set(transactionId, acceptingBlockHash)
    } else if (known !== undefined || unknownReverts === 'refused') {
      if (known !== acceptingBlockHash) throw new Error(`${transactionId} was reverted, but not from ${known}`)
      accepted.delete(transactionId)
    }
  }
}
