import { compareBlueWork, type LedgerBlock, type SortableBlock } from '../block.js'

/** The block DAG. Blocks are never removed. */
export class Dag {
  readonly #blocks: Map<string, LedgerBlock>
  /** Blocks whose body did not match the header. They cannot be parents. */
  readonly #headers: Map<string, LedgerBlock>
  readonly #children: Map<string, readonly string[]>
  readonly #tips: Set<string>

  constructor(
    readonly genesis: string,
    copied?: Dag,
  ) {
    this.#blocks = new Map(copied === undefined ? [] : copied.#blocks)
    this.#headers = new Map(copied === undefined ? [] : copied.#headers)
    this.#children = new Map(copied === undefined ? [] : copied.#children)
    this.#tips = new Set(copied === undefined ? [] : copied.#tips)
  }

  copy(): Dag {
    return new Dag(this.genesis, this)
  }

  get size(): number {
    return this.#blocks.size
  }

  /** Whether the block or its header is known. */
  has(hash: string): boolean {
    return this.find(hash) !== undefined
  }

  hasBody(hash: string): boolean {
    return this.#blocks.has(hash)
  }

  find(hash: string): LedgerBlock | undefined {
    return this.#blocks.get(hash) ?? this.#headers.get(hash)
  }

  /** Throws `RangeError` for an unknown hash. */
  get(hash: string): LedgerBlock {
    const block = this.find(hash)
    if (block === undefined) throw new RangeError(`There is no block ${hash}`)
    return block
  }

  /** All blocks in insertion order, parents before children. */
  blocks(): Iterable<LedgerBlock> {
    return this.#blocks.values()
  }

  /** The highest DAA score of a tip or of a block of which only the header is known. */
  highestScore(): bigint {
    const hashes = [...this.#tips, ...this.#headers.keys()]
    return hashes.reduce((highest, hash) => {
      const { daaScore } = this.get(hash).header
      return daaScore > highest ? daaScore : highest
    }, 0n)
  }

  /** Blocks without children, the heaviest first. */
  tips(): readonly string[] {
    return this.heaviestFirst([...this.#tips])
  }

  heaviestFirst(hashes: readonly string[]): readonly string[] {
    return hashes
      .map((hash) => this.sortable(hash))
      .sort((left, right) => compareBlueWork(right, left))
      .map(({ hash }) => hash)
  }

  childrenOf(hash: string): readonly string[] {
    return this.#children.get(hash) ?? []
  }

  sortable(hash: string): SortableBlock {
    return { hash, blueWork: this.get(hash).context.ghostdag.blueWork }
  }

  insert(block: LedgerBlock): void {
    this.#addToChildren(block)
    this.#headers.delete(block.hash)
    this.#blocks.set(block.hash, block)
    this.#tips.add(block.hash)
    for (const parent of block.context.parents) this.#tips.delete(parent)
  }

  /** Adds a block without body. */
  insertHeader(block: LedgerBlock): void {
    this.#addToChildren(block)
    this.#headers.set(block.hash, block)
  }

  #addToChildren({ hash, context }: LedgerBlock): void {
    if (this.has(hash)) return
    for (const parent of context.parents) this.#children.set(parent, [...this.childrenOf(parent), hash])
  }

  /**
   * Whether `ancestor` is in the past of `hash`. The past of a block is the union of the mergesets along its selected
   * chain, so this searches the chain down to the blue work of `ancestor`.
   */
  isInPast(ancestor: string, hash: string): boolean {
    const { blueWork } = this.sortable(ancestor)
    let { context } = this.get(hash)
    while (context.ghostdag.blueWork > blueWork) {
      if (context.ghostdag.mergeset.includes(ancestor)) return true
      context = this.get(context.ghostdag.selectedParent).context
    }
    return false
  }

  isInPastOrSame(ancestor: string, hash: string): boolean {
    return ancestor === hash || this.isInPast(ancestor, hash)
  }

  isInPastOfAny(ancestor: string, hashes: readonly string[]): boolean {
    return hashes.some((hash) => this.isInPastOrSame(ancestor, hash))
  }
}
