import { compareWork, type Ghostdag, type SortableBlock } from '../block.js'
import { GHOSTDAG_K } from '../params.js'
import type { Dag } from './dag.js'

/** The work of one block at the difficulty of a network that never leaves its genesis bits. */
export type WorkOf = (hash: string) => bigint

/**
 * Colours what a block with these parents merges. A merged block is blue while it and every blue one beside it have at most
 * K blues in their anticone. `parents` must be known and none an ancestor of another.
 */
export function colour(dag: Dag, parents: readonly string[], workOf: WorkOf): Ghostdag {
  const selectedParent = heaviest(parents.map((parent) => dag.weigh(parent)))
  const others = mergedBeside(dag, selectedParent, parents)
  const colours = new Colours(dag, selectedParent)
  for (const candidate of others) colours.add(candidate)
  const { ghostdag } = dag.get(selectedParent).context
  return {
    selectedParent,
    mergeset: [selectedParent, ...others],
    blues: colours.blues,
    reds: colours.reds,
    anticoneSizes: colours.anticoneSizes,
    blueScore: ghostdag.blueScore + BigInt(colours.blues.length),
    blueWork: colours.blues.reduce((work, blue) => work + workOf(blue), ghostdag.blueWork),
  }
}

function heaviest(blocks: readonly SortableBlock[]): string {
  return blocks.reduce((best, block) => (compareWork(best, block) < 0 ? block : best)).hash
}

/** The past of `parents` that is not in the past of the selected one, by rising work. */
function mergedBeside(dag: Dag, selectedParent: string, parents: readonly string[]): readonly string[] {
  const queue = parents.filter((parent) => parent !== selectedParent)
  const merged = new Set(queue)
  for (const hash of queue) {
    for (const parent of dag.get(hash).context.parents) {
      if (merged.has(parent) || dag.isInPastOrSame(parent, selectedParent)) continue
      merged.add(parent)
      queue.push(parent)
    }
  }
  return queue
    .map((hash) => dag.weigh(hash))
    .sort(compareWork)
    .map(({ hash }) => hash)
}

/** The colours of one mergeset, while they are being found. */
class Colours {
  readonly blues: string[]
  readonly reds: string[] = []
  readonly anticoneSizes = new Map<string, number>()

  constructor(
    private readonly dag: Dag,
    private readonly selectedParent: string,
  ) {
    this.blues = [selectedParent]
    this.anticoneSizes.set(selectedParent, 0)
  }

  add(candidate: string): void {
    const beside = this.bluesBeside(candidate)
    if (beside === undefined) {
      this.reds.push(candidate)
      return
    }
    this.blues.push(candidate)
    this.anticoneSizes.set(candidate, beside.size)
    for (const [blue, size] of beside) this.anticoneSizes.set(blue, size + 1)
  }

  /** The blues in the candidate's anticone with the sizes of theirs; undefined where a blue candidate would be one too many. */
  private bluesBeside(candidate: string): ReadonlyMap<string, number> | undefined {
    if (this.blues.length > GHOSTDAG_K) return undefined
    const beside = new Map<string, number>()
    let blues: readonly string[] = this.blues
    let chainBlock = this.selectedParent
    for (;;) {
      for (const blue of blues) {
        if (this.dag.isInPast(blue, candidate)) continue
        const size = this.sizeOf(blue)
        if (beside.size === GHOSTDAG_K || size === GHOSTDAG_K) return undefined
        beside.set(blue, size)
      }
      if (chainBlock === this.dag.genesis || this.dag.isInPast(chainBlock, candidate)) return beside
      const { ghostdag } = this.dag.get(chainBlock).context
      blues = ghostdag.blues
      chainBlock = ghostdag.selectedParent
    }
  }

  /** The anticone size of a blue, as the newest block that saw it counted it. */
  private sizeOf(blue: string): number {
    const own = this.anticoneSizes.get(blue)
    if (own !== undefined) return own
    let at = this.selectedParent
    for (;;) {
      const { ghostdag } = this.dag.get(at).context
      const size = ghostdag.anticoneSizes.get(blue)
      if (size !== undefined) return size
      at = ghostdag.selectedParent
    }
  }
}
